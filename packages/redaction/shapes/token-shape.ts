import { defined } from "@deputize/ground";

export const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/**
 * A token that can be recognized by its form alone. `literals` are found first, by one search for all shapes together;
 * only there is `pattern` tried, anchored, so its cost is bounded by its own quantifiers.
 */
export interface TokenShape {
	readonly kind: string;
	/** Where a match may begin. Case counts. */
	readonly literals: readonly string[];
	/** Sticky. A first group narrows what is replaced. */
	readonly pattern: RegExp;
	/** The part of the token before the literal: matched backwards. */
	readonly before?: LeadingCharacters;
	/** Also refuse a start after `-` or `_`. For long patterns that need a tail: without it they are re-read quadratically. */
	readonly strictStart?: boolean;
	/** Last word on a match, where the pattern alone would also fit ordinary identifiers. */
	readonly accept?: (token: string) => boolean;
}

export interface LeadingCharacters {
	readonly characters: RegExp;
	readonly minimum: number;
	readonly maximum: number;
}

export function shape(
	kind: string,
	literals: string | readonly string[],
	pattern: RegExp,
	accept?: (token: string) => boolean,
): TokenShape {
	const list = typeof literals === "string" ? [literals] : literals;
	return { kind, literals: list, pattern, ...defined({ accept }) };
}

/** A shape whose fixed part is in the middle of the token. */
export function shapeAround(
	kind: string,
	literals: string | readonly string[],
	before: LeadingCharacters,
	pattern: RegExp,
	accept?: (token: string) => boolean,
): TokenShape {
	return { ...shape(kind, literals, pattern, accept), before };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** What may come after a fixed part that is too short to be searched for alone. */
const FOLLOWING = {
	digit: "0123456789",
	hex: "0123456789abcdef",
	alphanumeric: `0123456789${LETTERS}${LETTERS.toUpperCase()}`,
	urlSafe: `0123456789_-${LETTERS}${LETTERS.toUpperCase()}`,
} as const;

/** `SK` and a hexadecimal digit: sixteen literals of three characters. */
export function followedBy(fixed: string, following: keyof typeof FOLLOWING): string[] {
	return Array.from(FOLLOWING[following], (next) => `${fixed}${next}`);
}

export function strictShape(kind: string, literal: string, pattern: RegExp): TokenShape {
	return { kind, literals: [literal], pattern, strictStart: true };
}
