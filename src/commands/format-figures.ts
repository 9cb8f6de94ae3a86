import { formatCount } from "@deputize/ground";
import type { Usage } from "../contract/usage.ts";

export function formatDuration(milliseconds: number): string {
	if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Empty when nothing was spent, as before the first answer and with the offline navigator. */
export function formatTokens(usage: Usage): readonly string[] {
	const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
	return tokens > 0 ? [`${abbreviateCount(tokens)} tokens`] : [];
}

/** Empty for models that cost nothing. */
export function formatCost(dollars: number): readonly string[] {
	if (dollars <= 0) return [];
	return [`$${dollars.toFixed(dollars < 0.01 ? 4 : dollars < 1 ? 3 : 2)}`];
}

/** Turns, tokens and cost, as far as there are any. */
export function formatUsage(usage: Usage): readonly string[] {
	const turns = usage.turns > 0 ? [formatCount(usage.turns, "turn")] : [];
	return [...turns, ...formatTokens(usage), ...formatCost(usage.cost)];
}

function abbreviateCount(count: number): string {
	if (count < 1000) return String(count);
	return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
