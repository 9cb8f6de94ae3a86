import type { Usage } from "../../../../contract/usage.ts";

export function formatTokens(usage: Usage): string {
	const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
	if (tokens < 1000) return `${tokens} tokens`;
	if (tokens < 999_950) return `${(tokens / 1000).toFixed(1)}k tokens`;
	return `${(tokens / 1_000_000).toFixed(1)}M tokens`;
}

export function formatCost(usage: Usage): string {
	return usage.cost >= 0.01 || usage.cost === 0 ? `$${usage.cost.toFixed(2)}` : `$${usage.cost.toFixed(4)}`;
}

export function formatTurns(turns: number): string {
	return turns === 1 ? "1 turn" : `${turns} turns`;
}

export function formatDuration(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	if (seconds < 10) return `${seconds.toFixed(1)} s`;
	if (seconds < 60) return `${Math.round(seconds)} s`;
	const minutes = Math.floor(seconds / 60);
	return `${minutes} min ${Math.round(seconds - minutes * 60)} s`;
}

const SHOWN_VALUE_CHARS = 80;

/** The values of a call's arguments, which say more in little room than their names do. */
export function formatArguments(args: Readonly<Record<string, unknown>>): string {
	return Object.values(args)
		.filter((value) => value !== undefined && value !== null && value !== "")
		.map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
		.map((text) => (text.length > SHOWN_VALUE_CHARS ? `${text.slice(0, SHOWN_VALUE_CHARS)}…` : text))
		.join(" ");
}
