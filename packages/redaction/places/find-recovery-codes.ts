import { matchAt } from "@deputize/ground";
import { type Detector, inAnyCase, readingFrom } from "../detector.ts";
import { isKebabName } from "../judgement/check-name-form.ts";
import { looksLikeRandomLetters } from "../judgement/check-randomness.ts";
import type { Span } from "../spans.ts";

/** `Recovery code:`, `"backup_codes": `, `Your backup codes (keep them safe):`. */
export const RECOVERY_LABEL =
	/(?:recovery|backup|rescue|scratch|emergency)[ _-]?codes?(?:[ \t]{1,2}(?:is|are)(?=[ \t])|[^\n:=]{0,60}[:=])/iy;
/** The next one: on the same line, on one of the next two, numbered, in a list or an array. */
export const RECOVERY_CODE =
	/[ \t]{0,40}[,;|[]?[ \t]{0,40}(?:\r?\n[ \t]{0,40}){0,2}(?:(?:[-*\u2022]|\d{1,2}[.)])[ \t]{1,4})?[[\\]?["'`]?(\d{3,5} \d{3,5}|[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12}){0,5})\\?["'`]?(?=[\s,;|\]}.]|$)/y;

const MAXIMUM_CODES = 100;
const SHORTEST_CODE = 6;

/** Codes for the day somebody loses the second factor: one after its name, or a list of them. */
export const RECOVERY_CODES: Detector = {
	literals: inAnyCase(
		["recovery", "backup", "rescue", "scratch", "emergency"].flatMap((owner) =>
			[" ", "_", "-", ""].map((joint) => `${owner}${joint}code`),
		),
	),
	find: readingFrom(readRecoveryCodes),
};

function readRecoveryCodes(text: string, index: number, spans: Span[]): number {
	const label = matchAt(RECOVERY_LABEL, text, index);
	const codes = label === null ? [] : readCodes(text, index + label[0].length);
	spans.push(...codes);
	return codes.at(-1)?.end ?? index;
}

function readCodes(text: string, from: number): Span[] {
	const spans: Span[] = [];
	let first: string | undefined;
	RECOVERY_CODE.lastIndex = from;
	while (spans.length < MAXIMUM_CODES) {
		const match = RECOVERY_CODE.exec(text);
		const code = match?.[1];
		if (match === null || code === undefined || !(isCode(code) || isLike(code, first))) break;
		first ??= code;
		const start = match.index + match[0].lastIndexOf(code);
		spans.push({ start, end: start + code.length });
	}
	return spans;
}

function isCode(code: string): boolean {
	if (code.length < SHORTEST_CODE || (isKebabName(code) && /[a-z]{3}/i.test(code))) return false;
	if (/\d/.test(code)) return !/^[A-Za-z]{3,}\d{1,2}$/.test(code);
	const groups = code.split("-");
	return (
		groups.length >= 2 &&
		groups.every(({ length }) => length === groups[0]?.length) &&
		looksLikeRandomLetters(groups.join(""))
	);
}

/** Of a list of codes, one may happen to have no digit. */
function isLike(code: string, first: string | undefined): boolean {
	return code.length === first?.length && code.indexOf("-") === first.indexOf("-");
}
