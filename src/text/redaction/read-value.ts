/** A value as it stands in the text, without its quotes. */
export interface ValueSpan {
	readonly start: number;
	readonly end: number;
	readonly quoted: boolean;
	/** Bare text whose line ends with it, apart from a comment. */
	readonly endsLine: boolean;
}

/** Longer values are cut here: what follows is read as ordinary text again. */
const MAXIMUM_VALUE_LENGTH = 16_384;

const OPENING_QUOTE = /\\{0,3}(?:"""|'''|["'`])|&quot;|&#3[49];|%22|\*\*|\u201c|\u2018/y;
const LINE_END = /[ \t]{0,40}(?:[\r\n]|$|#|\/\/|\\n|\\\r?\n)/y;

/** Characters that end a bare value. `line` is a setting on a line of its own; `list` stands among others. */
const BARE_END = {
	line: /[\s"'`]/g,
	list: /[\s"'`,;&|<>)\]}\\]/g,
	query: /[\s"'`&#<>)\]}\\;,]/g,
	element: /[\n<]/g,
} as const;

export type BareStyle = keyof typeof BARE_END;

export function readValue(text: string, from: number, style: BareStyle): ValueSpan | undefined {
	OPENING_QUOTE.lastIndex = from;
	const opening = style === "element" ? null : OPENING_QUOTE.exec(text);
	if (opening !== null) return readQuoted(text, from + opening[0].length, opening[0]);
	return readBare(text, from, style);
}

function readQuoted(text: string, start: number, opening: string): ValueSpan | undefined {
	const closing = CLOSING[opening] ?? opening;
	const limit = Math.min(text.length, start + MAXIMUM_VALUE_LENGTH);
	const multiline = closing.length === 3 && closing !== "%22";
	let end = start;
	while (end < limit) {
		if (text.startsWith(closing, end)) return { start, end, quoted: true, endsLine: false };
		const character = text[end];
		if (character === "\n" && !multiline) break;
		end += character === "\\" && !closing.startsWith("\\") ? 2 : 1;
	}
	// The closing quote was cut off. What is there up to the next gap is still the value.
	const rest = readBare(text, start, "line");
	return rest === undefined ? undefined : { ...rest, quoted: true };
}

const CLOSING: Readonly<Record<string, string>> = { "\u201c": "\u201d", "\u2018": "\u2019" };

function readBare(text: string, start: number, style: BareStyle): ValueSpan | undefined {
	const search = BARE_END[style];
	search.lastIndex = start;
	const found = search.exec(text);
	let end = Math.min(found?.index ?? text.length, start + MAXIMUM_VALUE_LENGTH);
	const untrimmedEnd = end;
	while (end > start && /[,;:.)\s]/.test(text.charAt(end - 1))) end -= 1;
	if (end === start) return undefined;
	LINE_END.lastIndex = untrimmedEnd;
	return { start, end, quoted: false, endsLine: end === untrimmedEnd && LINE_END.test(text) };
}
