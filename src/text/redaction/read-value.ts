/** A value as it stands in the text, without its quotes. */
export interface ValueSpan {
	readonly start: number;
	readonly end: number;
	readonly quote?: string;
	/** Bare text whose line ends with it, apart from a comment. */
	readonly endsLine: boolean;
}

/**
 * Enough to judge a value by. Longer ones are read to their end only once they are known to be secret: otherwise a
 * text of names without gaps would be read again for each of them.
 */
const MAXIMUM_JUDGED_LENGTH = 320;
/** What follows after this is read as ordinary text again. */
const MAXIMUM_VALUE_LENGTH = 65_536;

export const OPENING_QUOTE = /\\{0,3}(?:"""|'''|["'`])|&quot;|&#3[49];|%22|\*\*|\u201c|\u2018/y;
export const LINE_END = /[ \t]{0,40}(?:[\r\n]|$|#|\/\/|\\n|\\\r?\n)/y;

/**
 * A bare value up to what ends it. `line` is a setting on a line of its own; `list` stands among others. White space is
 * spelled out because `\s` looks every character of other scripts up in a table, six times slower.
 */
export const BARE_JUDGED = {
	line: /[^ \t\r\n\u00a0"'`]{1,320}/y,
	list: /[^ \t\r\n\u00a0"'`,;&|<>)\]}\\]{1,320}/y,
	connection: /[^\n\r"'`;<>]{1,320}/y,
	query: /[^ \t\r\n\u00a0"'`&#<>)\]}\\;,]{1,320}/y,
	element: /[^\n<]{1,320}/y,
	encoded: /(?:(?!%2[26C]|%7D|%0A)[^ \t\r\n\u00a0"'`&]){1,320}/iy,
} as const;
export const BARE_WHOLE = {
	line: /[^ \t\r\n\u00a0"'`]{1,65535}/y,
	list: /[^ \t\r\n\u00a0"'`,;&|<>)\]}\\]{1,65535}/y,
	connection: /[^\n\r"'`;<>]{1,65535}/y,
	query: /[^ \t\r\n\u00a0"'`&#<>)\]}\\;,]{1,65535}/y,
	element: /[^\n<]{1,65535}/y,
	encoded: /(?:(?!%2[26C]|%7D|%0A)[^ \t\r\n\u00a0"'`&]){1,65535}/iy,
} as const;

export type BareStyle = keyof typeof BARE_JUDGED;

export function readValue(text: string, from: number, style: BareStyle): ValueSpan | undefined {
	OPENING_QUOTE.lastIndex = from;
	const opening = style === "element" ? null : OPENING_QUOTE.exec(text);
	if (opening !== null) return readQuoted(text, from + opening[0].length, opening[0]);
	return readBare(text, from, BARE_JUDGED[style]);
}

/** The whole of a value of which `readValue` gave the beginning. */
export function readWholeValue(text: string, value: ValueSpan, style: BareStyle): ValueSpan {
	if (value.end - value.start < MAXIMUM_JUDGED_LENGTH) return value;
	if (value.quote !== undefined)
		return readQuoted(text, value.start, value.quote, MAXIMUM_VALUE_LENGTH) ?? value;
	return readBare(text, value.start, BARE_WHOLE[style]) ?? value;
}

const CLOSING: Readonly<Record<string, string>> = { "\u201c": "\u201d", "\u2018": "\u2019" };

function readQuoted(
	text: string,
	start: number,
	quote: string,
	maximum = MAXIMUM_JUDGED_LENGTH,
): ValueSpan | undefined {
	const closing = CLOSING[quote] ?? quote;
	const limit = Math.min(text.length, start + maximum);
	const multiline = closing === '"""' || closing === "'''";
	let end = start;
	while (end < limit) {
		if (text.startsWith(closing, end)) return { start, end, quote, endsLine: false };
		const character = text[end];
		if (character === "\n" && !multiline) break;
		end += character === "\\" && !closing.startsWith("\\") ? 2 : 1;
	}
	if (end >= start + maximum) return { start, end: start + maximum, quote, endsLine: false };
	// The closing quote was cut off. What is there up to the next gap is still the value.
	const rest = readBare(text, start, BARE_JUDGED.line);
	return rest === undefined ? undefined : { ...rest, quote };
}

function readBare(text: string, start: number, pattern: RegExp): ValueSpan | undefined {
	pattern.lastIndex = start;
	const match = pattern.exec(text);
	if (match === null) return undefined;
	const untrimmedEnd = start + match[0].length;
	let end = untrimmedEnd;
	while (end > start && /[,;:.)\s]/.test(text.charAt(end - 1))) end -= 1;
	if (end === start) return undefined;
	LINE_END.lastIndex = untrimmedEnd;
	return { start, end, endsLine: end === untrimmedEnd && LINE_END.test(text) };
}
