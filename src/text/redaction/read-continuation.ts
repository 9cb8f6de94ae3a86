import { looksGenerated } from "./check-randomness.ts";
import type { ValueSpan } from "./read-value.ts";
import type { Span } from "./spans.ts";

/** `"…" +`, `"…" .`, `"…" \` or nothing, and a further string on the next line. */
export const NEXT_STRING =
	/\\?["'`][ \t]{0,4}(?:\+|\.{1,2}|&|<>)?[ \t]{0,4}\\?\r?\n[ \t]{0,60}(?:\+|\.{1,2}|&|<>)?[ \t]{0,4}["'`]([A-Za-z0-9+/=_.~-]{4,400})(?=["'`])/y;
/** The next line holds one stretch and nothing else, be it by a fold, a backslash or the width of a terminal. */
export const NEXT_STRETCH =
	/\r?\n[ \t]{0,40}([A-Za-z0-9+/=_~-]{8,400})(?=["'`\\]?[,;)]{0,2}[ \t]{0,4}(?:[\r\n]|$))/y;

const MAXIMUM_PIECES = 40;
/** A short value that ends its line is whole. */
const SHORTEST_BROKEN = 16;

/** What belongs to a secret and stands on the lines after it. */
export function readContinuation(text: string, value: ValueSpan): Span[] {
	if (value.end - value.start < SHORTEST_BROKEN) return [];
	const spans: Span[] = [];
	let end = value.end;
	while (spans.length < MAXIMUM_PIECES) {
		const piece = nextPiece(NEXT_STRING, text, end) ?? nextPiece(NEXT_STRETCH, text, end);
		if (piece === undefined) break;
		spans.push(piece);
		end = piece.end;
		if (text[end] === "\\") end += 1;
	}
	return spans;
}

function nextPiece(pattern: RegExp, text: string, at: number): Span | undefined {
	pattern.lastIndex = at;
	const match = pattern.exec(text);
	const piece = match?.[1];
	if (match === null || piece === undefined || !looksGenerated(piece)) return undefined;
	const end = at + match[0].length;
	return { start: end - piece.length, end };
}
