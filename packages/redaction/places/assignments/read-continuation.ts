import { matchAt } from "@deputize/ground";
import { looksGenerated } from "../../judgement/check-randomness.ts";
import type { Span } from "../../spans.ts";
import type { ValueSpan } from "./read-value.ts";

/** `"…" + "…"`, `"…" . "…"`, or two strings on two lines with nothing or a backslash between them. */
export const NEXT_STRING =
	/\\?["'`][ \t]{0,4}(?:(?:\+|\.{1,2}|&|<>|\|\|)[ \t]{0,4}\\?(?:\r?\n[ \t]{0,60})?|\\?\r?\n[ \t]{0,60}(?:\+|\.{1,2}|&|<>|\|\|)?[ \t]{0,4})["'`]([^\s"'`\\]{2,400})(?=["'`])/y;
/** The next line contains one unbroken run and nothing else, because of a fold, a backslash or the width of a terminal. An assignment is another value. */
export const NEXT_STRETCH =
	/\r?\n[ \t]{0,40}([A-Za-z0-9+/_~-]{8,400}={0,2})(?=["'`\\]?[,;)]{0,2}[ \t]{0,4}(?:[\r\n]|$))/y;

const MAXIMUM_PIECES = 40;
/** A short value that ends its line is whole. */
const SHORTEST_BROKEN = 16;

/** The other parts of a concatenated string. Only all of them together can be judged. */
export function readConcatenation(text: string, value: ValueSpan, maximum = MAXIMUM_PIECES): Span[] {
	if (value.quote === undefined) return [];
	const inParentheses = /\(\s{0,60}\\?["'`]$/.test(text.slice(Math.max(0, value.start - 64), value.start));
	return readPieces(
		text,
		value.end,
		(at) => {
			const piece = nextPiece(NEXT_STRING, text, at);
			if (piece === undefined || inParentheses) return piece;
			const joined = /[+.&>|\\]/.test(text.slice(at, piece.start));
			return joined || looksGenerated(text.slice(piece.start, piece.end)) ? piece : undefined;
		},
		maximum,
	);
}

/** From this column on a line may have been broken by the width of a terminal. */
const NARROWEST_TERMINAL = 60;
/** Every string of a program that joins strings may begin like a token. */
const MAXIMUM_TOKEN_PIECES = 6;

/** The further parts of a token known by its form. */
export function readBrokenToken(text: string, first: Span): Span[] {
	if (/["'`\\]/.test(text.charAt(first.end)))
		return readConcatenation(text, { ...first, quote: "", endsLine: false }, MAXIMUM_TOKEN_PIECES);
	const line = text.slice(Math.max(0, first.end - NARROWEST_TERMINAL), first.end);
	if (line.length < NARROWEST_TERMINAL || line.includes("\n") || !isAfterWord(text, first.start)) return [];
	const next = nextPiece(NEXT_STRETCH, text, first.end);
	return next === undefined ? [] : [next];
}

/** A line that begins with the token is as likely one of many lines of base64. */
function isAfterWord(text: string, start: number): boolean {
	return /\S[ \t"'`=:(]{1,4}$/.test(text.slice(Math.max(0, start - 8), start));
}

/** The part of a secret that is on the lines after it. */
export function readContinuation(text: string, value: Span): Span[] {
	if (value.end - value.start < SHORTEST_BROKEN) return [];
	return readPieces(text, value.end, (at) => {
		const piece = nextPiece(NEXT_STRETCH, text, at);
		return piece !== undefined && looksGenerated(text.slice(piece.start, piece.end)) ? piece : undefined;
	});
}

function readPieces(
	text: string,
	from: number,
	next: (at: number) => Span | undefined,
	maximum = MAXIMUM_PIECES,
): Span[] {
	const spans: Span[] = [];
	let end = from;
	while (spans.length < maximum) {
		const piece = next(end);
		if (piece === undefined) break;
		spans.push(piece);
		end = text[piece.end] === "\\" ? piece.end + 1 : piece.end;
	}
	return spans;
}

function nextPiece(pattern: RegExp, text: string, at: number): Span | undefined {
	const match = matchAt(pattern, text, at);
	const piece = match?.[1];
	if (match === null || piece === undefined) return undefined;
	const end = at + match[0].length;
	return { start: end - piece.length, end };
}
