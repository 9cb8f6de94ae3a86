/** Tokens and money of one run, over all its turns and attempts. Cost is in US dollars. */
export interface Usage {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly cost: number;
	readonly turns: number;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, turns: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
	return {
		input: left.input + right.input,
		output: left.output + right.output,
		cacheRead: left.cacheRead + right.cacheRead,
		cacheWrite: left.cacheWrite + right.cacheWrite,
		cost: left.cost + right.cost,
		turns: left.turns + right.turns,
	};
}

/** What came to `before` until `after`. A total that began anew counts whole. */
export function subtractUsage(after: Usage, before: Usage): Usage {
	const since = (later: number, earlier: number): number => (later < earlier ? later : later - earlier);
	return {
		input: since(after.input, before.input),
		output: since(after.output, before.output),
		cacheRead: since(after.cacheRead, before.cacheRead),
		cacheWrite: since(after.cacheWrite, before.cacheWrite),
		cost: since(after.cost, before.cost),
		turns: since(after.turns, before.turns),
	};
}
