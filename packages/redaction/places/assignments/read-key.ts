import { classifyKey, type KeyClass } from "../../judgement/classify-key.ts";

const ASCII_KEY_CHARACTERS: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
	/[\w.$-]/.test(String.fromCharCode(code)),
);
/** Written without gaps, so that what follows a name may be a verb. */
const GLUED_SCRIPT = /[\u3040-\u30ff\u4e00-\u9fff]/;
export const MAXIMUM_KEY_REACH = 60;

/** By its code: every name is read one by one, and a pattern takes ten times as long. */
function isKeyCharacter(code: number): boolean {
	if (code < 128) return ASCII_KEY_CHARACTERS[code] === true;
	return (code >= 0xc0 && code <= 0x1fff) || (code >= 0x3040 && code <= 0xd7ff);
}

export interface Key {
	readonly start: number;
	readonly end: number;
	readonly name: string;
	readonly class: KeyClass;
}

export function readKey(
	text: string,
	partStart: number,
	partEnd: number,
	classify: (name: string) => KeyClass,
): Key {
	let start = partStart;
	while (partStart - start < MAXIMUM_KEY_REACH && isKeyCharacter(text.charCodeAt(start - 1))) start -= 1;
	let end = partEnd;
	const glued = GLUED_SCRIPT.test(text.charAt(partEnd - 1));
	while (!glued && end - partEnd < MAXIMUM_KEY_REACH && isKeyCharacter(text.charCodeAt(end))) end += 1;
	while (end > partEnd && /[.-]/.test(text.charAt(end - 1))) end -= 1;
	start += writtenEscape(text, start, partStart);
	if (text.startsWith("mot de ", start - 7)) start -= 7;
	if (/^key$/i.test(text.slice(start, end)) && text.startsWith(" Content", end)) end += " Content".length;
	const name = text.slice(start, end);
	return { start, end, name, class: classify(withWordBefore(text, start, name)) };
}

/** `pass` alone: what tests do, and what a call does with an argument. */
export function mayBeVerb(key: Key): boolean {
	return /^pass$/i.test(key.name);
}

/**
 * `AWS::IAM::AccessKey`, `arn:aws:secretsmanager:…:secret:name`: a part of something longer, joined by colons. Or
 * `otpauth://…`: the beginning of an address, whose parts have names of their own.
 */
export function isPartOfName(text: string, key: Key): boolean {
	if (text.startsWith("://", key.end)) return true;
	if (text[key.start - 1] !== ":" || !/[\w:\])}+*|]/.test(text.charAt(key.start - 2))) return false;
	return text[key.start - 2] === ":" || (text[key.end] === ":" && /\S/.test(text.charAt(key.end + 1)));
}

/** `${TOKEN:?not set}`: a message, not a value. */
export function isGuarded(text: string, key: Key): boolean {
	return text.startsWith("${", key.start - 2) && /^:?[?+]/.test(text.slice(key.end, key.end + 2));
}

const MAXIMUM_REMEMBERED = 2000;

/** A text uses few names many times. */
export function rememberClasses(): (name: string) => KeyClass {
	const known = new Map<string, KeyClass>();
	return (name) => {
		const remembered = known.get(name);
		if (remembered !== undefined) return remembered;
		const keyClass = classifyKey(name);
		if (known.size < MAXIMUM_REMEMBERED) known.set(name, keyClass);
		return keyClass;
	};
}

/** Letters before a name that belong to a written-out escape: `\\nTOKEN`, `%22token`. */
function writtenEscape(text: string, start: number, partStart: number): number {
	const length =
		text[start - 1] === "%" ? 2 : text[start - 1] === "\\" && /[nrt]/.test(text.charAt(start)) ? 1 : 0;
	return start + length <= partStart ? length : 0;
}

/** `API key` and `Secret Access Key` carry their meaning in the word before. */
function withWordBefore(text: string, start: number, name: string): string {
	if (!/^(?:keys?|string|phrase|code|id|pat|seed)$/i.test(name) || text[start - 1] !== " ") return name;
	const before = /((?:pre-)?[A-Za-z0-9]{2,20}) $/i.exec(text.slice(Math.max(0, start - 21), start));
	return before === null ? name : `${before[1]} ${name}`;
}
