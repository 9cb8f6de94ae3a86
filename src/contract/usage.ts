/** One number for each kind of token. */
export interface TokenKinds {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

/** Tokens and money of one run, over all its turns and attempts. Cost is in US dollars. */
export interface Usage extends TokenKinds {
	readonly cost: number;
	readonly turns: number;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, turns: 0 };

export function sumTokens({ input, output, cacheRead, cacheWrite }: TokenKinds): number {
	return input + output + cacheRead + cacheWrite;
}

export function addUsage(left: Usage, right: Usage): Usage {
	return combineUsage(left, right, (one, other) => one + other);
}

/** What came to `before` until `after`. A total that began anew counts whole. */
export function subtractUsage(after: Usage, before: Usage): Usage {
	return combineUsage(after, before, (later, earlier) => (later < earlier ? later : later - earlier));
}

function combineUsage(left: Usage, right: Usage, combine: (left: number, right: number) => number): Usage {
	const names = Object.keys(NO_USAGE) as (keyof Usage)[];
	return Object.fromEntries(
		names.map((name) => [name, combine(left[name], right[name])]),
	) as unknown as Usage;
}
