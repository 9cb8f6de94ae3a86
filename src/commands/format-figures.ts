import type { Usage } from "../contract/usage.ts";

export function formatDuration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
	return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

export function formatCount(count: number): string {
	if (count < 1000) return String(count);
	return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** Empty when nothing was spent, as with the offline navigator. */
export function formatTokens(usage: Usage): readonly string[] {
	const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
	return tokens > 0 ? [`${formatCount(tokens)} tokens`] : [];
}

export function formatCost(dollars: number): readonly string[] {
	return dollars > 0 ? [`$${dollars < 1 ? dollars.toFixed(4) : dollars.toFixed(2)}`] : [];
}
