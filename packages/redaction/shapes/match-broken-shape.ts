import { matchAt } from "@deputize/ground";
import { readBrokenToken } from "../places/assignments/read-continuation.ts";
import type { Span } from "../spans.ts";
import { isToken, isTokenStart } from "./match-token-shape.ts";
import type { TokenShape } from "./token-shape.ts";

/** What tokens are written with. */
export const TOKEN_STRETCH = /[\w.~+/=$:-]{2,600}/y;

const BREAK = /["'`\r\n\\]/;

/** Finds tokens that are concatenated from several strings or wrapped by a terminal. */
export type MatchBrokenShape = (index: number, shape: TokenShape) => readonly Span[];

export function createBrokenShapeMatch(text: string): MatchBrokenShape {
	let unbrokenUntil = 0;
	/** From `index` to a break; each stretch is read once, or `sk-sk-sk-…` would be read from every `sk-`. */
	const readStretch = (index: number): Span | undefined => {
		if (index < unbrokenUntil) return undefined;
		const end = index + (matchAt(TOKEN_STRETCH, text, index)?.[0].length ?? 0);
		if (BREAK.test(text.charAt(end))) return { start: index, end };
		unbrokenUntil = end;
		return undefined;
	};
	return (index, shape) => {
		if (shape.before !== undefined || !isTokenStart(text, index, true)) return NOTHING;
		const first = readStretch(index);
		const pieces = first === undefined ? NOTHING : readBrokenToken(text, first);
		if (first === undefined || pieces.length === 0) return NOTHING;
		const spans = [first, ...pieces];
		return fits(shape, spans.map(({ start, end }) => text.slice(start, end)).join(""), first)
			? spans
			: NOTHING;
	};
}

const NOTHING: readonly Span[] = [];

/** What ends before the break is whole, and what follows it something else. */
function fits(shape: TokenShape, joined: string, first: Span): boolean {
	const match = matchAt(shape.pattern, joined, 0);
	if (match === null || match[1] !== undefined || match[0].length <= first.end - first.start) return false;
	return isToken(match[0]) && shape.accept?.(match[0]) !== false;
}
