import { matchAt } from "@deputize/ground";
import { type Detector, inAnyCase, readingFrom } from "../detector.ts";
import { isGeneratedValue } from "../judgement/check-value.ts";
import { isHarmlessValue } from "../judgement/reject-value.ts";
import type { Deadline, Span } from "../spans.ts";

/** `Cookie:` and `Set-Cookie:` in HTTP, JSON and shells, and what curl writes: `-b 'a=b'`. */
export const COOKIE_HEADER =
	/(?:cookie2?(?:\\{0,2}["'`])?[ \t]{0,4}(?::|=>?|,)[ \t]{0,4}(?:\\{0,2}["'`])?|(?:[ \t]-b|--cookie)[ \t=]["']?)(?=[^\s"'`;=]{1,80}=)/iy;
export const COOKIE_PAIR = /([^\s"'`;=,<>]{1,80})=([^\s"'`;\\]{1,4096})(?:;[ \t]{0,2}|,[ \t]{0,2}|$)?/y;

const SESSION_NAME =
	/sess|sid$|^sid|auth|token|jwt|remember|csrf|xsrf|login|identity|credential|secret|ticket|^__host-|^__secure-|access|refresh|\.sid|aspnet|clearance|bearer|user_?id$|^key$|api_?key/i;

/** Values of cookies that identify a person. `theme=dark` and `lang=en` stay. */
export const COOKIES: Detector = {
	literals: inAnyCase(["cookie", "--cookie", " -b", "\t-b"]),
	find: readingFrom(readCookies),
};

function readCookies(text: string, index: number, spans: Span[], deadline: Deadline): number {
	const header = matchAt(COOKIE_HEADER, text, index);
	if (header === null) return index;
	let position = index + header[0].length;
	for (let pair = matchAt(COOKIE_PAIR, text, position); pair !== null; ) {
		deadline.check();
		const [whole, name = "", value = ""] = pair;
		const start = position + name.length + 1;
		if (isCookieSecret(name, value)) spans.push({ start, end: start + value.length });
		position += whole.length;
		pair = matchAt(COOKIE_PAIR, text, position);
	}
	return index + header[0].length;
}

export function isCookieSecret(name: string, value: string): boolean {
	const plain = value.replace(/^s(?:%3A|:)/, "");
	if (isHarmlessValue(plain) || /[${}()<>]/.test(plain)) return false;
	if (SESSION_NAME.test(name)) return plain.length >= 6 && (/\d/.test(plain) || plain.length >= 16);
	return isGeneratedValue(plain) || /^[0-9a-f]{32,}$/.test(plain);
}
