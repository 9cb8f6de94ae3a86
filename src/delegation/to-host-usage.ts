import type { HostUsage } from "../contract/result.ts";
import { sumTokens, type Usage } from "../contract/usage.ts";

export function toHostUsage(usage: Usage): HostUsage {
	const { cost, turns: _, ...tokens } = usage;
	return {
		...tokens,
		totalTokens: sumTokens(usage),
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
	};
}
