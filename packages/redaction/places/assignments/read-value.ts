import { matchAt } from "@deputize/ground";
import { LONGEST_WITHOUT_DIGITS } from "../../judgement/check-value.ts";

/** A value as it is in the text, without its quotes. */
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
const MAXIMUM_STRETCH = 65_535;

export const OPENING_QUOTE =
	/\\{0,3}(?:"""|'''|["'`])|@"|&quot;|&#3[49];|%22|\*\*|[\u201c\u201e\u2018\u300c\u300e]|\u00ab[ \u00a0\u202f]?/y;
/** A note in parentheses may be between a value and the end of its line: `Pass: … (do not share)`. */
export const LINE_END =
	/(?:[ \t]\([^()\n]{1,60}\)[.]?)?[ \t]{0,40}(?:[\r\n\uff0c\u3002]|$|#|\/\/|\\n|\\\r?\n)/y;

/**
 * A bare value up to what ends it. `line` is a setting on its own line; `list` is one of several. The comma and the full
 * stop of Chinese and Japanese end all that may be in a sentence. White space is
 * spelled out because `\s` looks every character of other scripts up in a table, six times slower.
 */
export const BARE = {
	line: /[^ \t\r\n\u00a0"'`\uff0c\u3002]{1,65535}/y,
	list: /[^ \t\r\n\u00a0"'`,;&|<>)\]}\\\uff0c\u3002]{1,65535}/y,
	connection: /(?:[^ \n\r"'`;<>]| (?![ (])){1,65535}/y,
	query: /[^ \t\r\n\u00a0"'`&#<>)\]}\\;,\uff0c\u3002]{1,65535}/y,
	element: /(?:[^\n<&]|&(?!lt;)){1,65535}/y,
	encoded: /(?:(?!%2[26C]|%7D|%0A)[^ \t\r\n\u00a0"'`&]){1,65535}/iy,
} as const;

/** Words to the end of a line. */
export const BARE_PHRASE = /[a-z]{3,10}(?: [a-z]{3,10}){2,11}(?=["']?[ \t]{0,4}(?:\r?\n|$|#))/y;
/** The same with capitals, accents, digits and signs. */
export const BARE_CHOSEN_PHRASE =
	/[\p{L}\d][^\s"`=:;|<>{}()[\]#]{0,24}(?: [^\s"`=:;|<>{}()[\]#]{1,24}){1,11}(?<![,;])(?=[ \t]{0,4}(?:\r?\n|$|#))/uy;

export type BareStyle = keyof typeof BARE;

interface Stretch {
	readonly start: number;
	readonly end: number;
	dull?: boolean;
}

/** Room for a name, and for a value too long to be one without a digit. */
const DULL_REST = 60 + LONGEST_WITHOUT_DIGITS + 10;

/** Values of one text. */
export type ValueReader = ReturnType<typeof createValueReader>;

/** Remembers the last bare stretch of each style: in `key=key=key=…` every name has a value that ends where all others do. */
export function createValueReader(text: string) {
	const stretches = new Map<BareStyle, Stretch>();
	const bareEnd = (start: number, style: BareStyle): number | undefined => {
		const known = stretches.get(style);
		if (known !== undefined && start >= known.start) {
			// The end of a stretch that was cut at its longest is not the end of a value close to it.
			const isCut = known.end - known.start >= MAXIMUM_STRETCH;
			if (start < known.end - (isCut ? MAXIMUM_JUDGED_LENGTH : 0)) return known.end;
		}
		const length = matchAt(BARE[style], text, start)?.[0].length;
		if (length === undefined) return undefined;
		stretches.set(style, { start, end: start + length });
		return start + length;
	};
	const readBare = (start: number, style: BareStyle, maximum: number): ValueSpan | undefined => {
		const end = bareEnd(start, style);
		if (end === undefined) return undefined;
		const last = Math.min(end, start + maximum);
		// What ends a sentence elsewhere is a part of what is in an element.
		return style === "element"
			? { start, end: last - trailingSpaces(text, start, last), endsLine: false }
			: trimBare(text, start, last);
	};
	const readQuotedOrRest = (start: number, quote: string, maximum: number): ValueSpan | undefined => {
		const quoted = readQuoted(text, start, quote, maximum);
		if (quoted !== undefined) return quoted;
		// The closing quote was cut off. What is there up to the next gap is still the value.
		const rest = readBare(start, "line", MAXIMUM_JUDGED_LENGTH);
		return rest === undefined ? undefined : { ...rest, quote };
	};
	return {
		/** As much of a value as is needed to judge it. */
		readValue(from: number, style: BareStyle): ValueSpan | undefined {
			const opening = style === "element" ? null : matchAt(OPENING_QUOTE, text, from);
			if (opening === null) return readBare(from, style, MAXIMUM_JUDGED_LENGTH);
			return readQuotedOrRest(from + opening[0].length, opening[0], MAXIMUM_JUDGED_LENGTH);
		},
		/** A name here is followed by names and signs only, further than any value without a digit is long. */
		isDull(at: number): boolean {
			const known = stretches.get("list");
			if (known === undefined || at < known.start || at + DULL_REST > known.end) return false;
			known.dull ??= !/[\d?]/.test(text.slice(known.start, known.end));
			return known.dull;
		},
		/** Several words, where a line contains nothing else. */
		readPhrase(from: number, pattern = BARE_PHRASE): ValueSpan | undefined {
			const length = matchAt(pattern, text, from)?.[0].length;
			return length === undefined ? undefined : { start: from, end: from + length, endsLine: true };
		},
		/** Several words in a quote that was opened before the name: `"password=jam on warm toast"`. */
		readEnclosed(quoteAt: number, from: number): ValueSpan | undefined {
			const quote = text.charAt(quoteAt);
			if (quote !== '"' && quote !== "'") return undefined;
			const value = readQuoted(text, from, quote, MAXIMUM_JUDGED_LENGTH);
			return value !== undefined && /\s/.test(text.slice(value.start, value.end)) ? value : undefined;
		},
		/** The whole of a value. */
		readWholeValue(value: ValueSpan, style: BareStyle): ValueSpan {
			if (value.end - value.start < MAXIMUM_JUDGED_LENGTH) return value;
			if (value.quote === undefined) return readBare(value.start, style, MAXIMUM_VALUE_LENGTH) ?? value;
			return readQuotedOrRest(value.start, value.quote, MAXIMUM_VALUE_LENGTH) ?? value;
		},
	};
}

const CLOSING: Readonly<Record<string, string>> = {
	'@"': '"',
	"\u201c": "\u201d",
	"\u201e": "\u201c",
	"\u2018": "\u2019",
	"\u300c": "\u300d",
	"\u300e": "\u300f",
};
/** French quotes may have a space of any kind inside. */
const closingOf = (quote: string): string =>
	CLOSING[quote] ?? (quote.startsWith("\u00ab") ? "\u00bb" : quote);

function readQuoted(text: string, start: number, quote: string, maximum: number): ValueSpan | undefined {
	const closing = closingOf(quote);
	const limit = Math.min(text.length, start + maximum);
	const multiline = closing === '"""' || closing === "'''";
	let end = start;
	while (end < limit) {
		if (text.startsWith(closing, end))
			return { start, end: end - trailingSpaces(text, start, end), quote, endsLine: false };
		const character = text[end];
		if (character === "\n" && !multiline) break;
		end += character === "\\" && !closing.startsWith("\\") ? 2 : 1;
	}
	if (end >= start + maximum) return { start, end: start + maximum, quote, endsLine: false };
	return undefined;
}

function trailingSpaces(text: string, start: number, end: number): number {
	return end - 1 > start && /[ \u00a0\u202f]/.test(text.charAt(end - 1)) ? 1 : 0;
}

function trimBare(text: string, start: number, untrimmedEnd: number): ValueSpan | undefined {
	let end = untrimmedEnd;
	while (end > start && /[,;:.)\s]/.test(text.charAt(end - 1))) end -= 1;
	if (end === start) return undefined;
	return { start, end, endsLine: end === untrimmedEnd && matchAt(LINE_END, text, untrimmedEnd) !== null };
}
