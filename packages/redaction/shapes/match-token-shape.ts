import { matchAt } from "@deputize/ground";
import {
	hasRandomLetters,
	isPlaceholderToken,
	looksLikeRandomLetters,
} from "../judgement/check-randomness.ts";
import type { Span } from "../spans.ts";
import { CLOUD_TOKEN_SHAPES } from "./cloud-tokens.ts";
import { FORGE_TOKEN_SHAPES } from "./forge-tokens.ts";
import { MODEL_TOKEN_SHAPES } from "./model-tokens.ts";
import { OTHER_TOKEN_SHAPES } from "./other-tokens.ts";
import { SERVICE_TOKEN_SHAPES } from "./service-tokens.ts";
import type { LeadingCharacters, TokenShape } from "./token-shape.ts";

export const TOKEN_SHAPES: readonly TokenShape[] = [
	...MODEL_TOKEN_SHAPES,
	...FORGE_TOKEN_SHAPES,
	...CLOUD_TOKEN_SHAPES,
	...SERVICE_TOKEN_SHAPES,
	...OTHER_TOKEN_SHAPES,
];

/** How far each shape has refused a text. */
export type RefusedUntil = Map<TokenShape, number>;

/** The token that begins at, or around, a literal of this shape. */
export function matchShape(
	text: string,
	index: number,
	candidate: TokenShape,
	refusedUntil: RefusedUntil,
): Span | undefined {
	// A tail of what a shape refused is refused too. Without this, `sk-sk-sk-…` is read again from every `sk-`.
	if ((refusedUntil.get(candidate) ?? 0) > index) return undefined;
	const start = candidate.before === undefined ? index : walkBack(text, index, candidate.before);
	if (start === undefined || !isTokenStart(text, start, candidate.strictStart === true)) return undefined;
	const match = matchAt(candidate.pattern, text, index);
	if (match === null) return undefined;
	const matchEnd = index + match[0].length;
	const whole = text.slice(start, matchEnd);
	if (!isToken(match[1] ?? whole) || candidate.accept?.(whole) === false) {
		refusedUntil.set(candidate, matchEnd);
		return undefined;
	}
	const end = match[1] === undefined ? runEnd(text, start, matchEnd) : matchEnd;
	return { start: match[1] === undefined ? start : matchEnd - match[1].length, end };
}

/** Words behind a token's first letters are a name: `whsec_prefix_is_stripped`, `xoxo-hugs-and-kisses`. */
export function isToken(content: string): boolean {
	if (isPlaceholderToken(content)) return false;
	if (/\d/.test(content)) return true;
	const parts = content.split(/[^A-Za-z]/).filter((part) => part.length >= 8);
	return parts.some(looksLikeRandomLetters) || hasRandomLetters(content);
}

function walkBack(text: string, index: number, before: LeadingCharacters): number | undefined {
	let start = index;
	while (index - start < before.maximum && before.characters.test(text.charAt(start - 1))) start -= 1;
	return index - start >= before.minimum ? start : undefined;
}

const MAXIMUM_RUN = 8192;

/** A token longer than its pattern is taken whole. The full stop or dash of the sentence around it is not part of it. */
function runEnd(text: string, start: number, matchEnd: number): number {
	let end = matchEnd;
	while (end - start < MAXIMUM_RUN && /[\w-]/.test(text.charAt(end))) end += 1;
	while (end > start && /[.\-,]/.test(text.charAt(end - 1))) end -= 1;
	return end;
}

/**
 * A token starts where no letter or digit comes before it. Escapes that were written out count as a gap: a literal
 * `\n` or `\u001b[1m` from a JSON log, `%20` or `%3D` from a URL.
 */
export function isTokenStart(text: string, index: number, strict = false): boolean {
	if (!isAlphanumeric(text.charCodeAt(index))) return true;
	const before = text.charCodeAt(index - 1);
	if (!isAlphanumeric(before) && !(strict && (before === DASH || before === UNDERSCORE))) return true;
	return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 10), index));
}

const [DASH, UNDERSCORE] = [45, 95];

function isAlphanumeric(code: number): boolean {
	const lower = code | 32;
	return (lower >= 97 && lower <= 122 && code < 128) || (code >= 48 && code <= 57);
}

export const ESCAPE_BEFORE =
	/(?:\\[nrtbfve0]|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{0,8}m|\\0?33|&#\d{2,3})$/;
