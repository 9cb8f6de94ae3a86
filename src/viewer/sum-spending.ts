import { groupBy } from "@deputize/ground";
import { sumTokens } from "../contract/usage.ts";
import type { RunSummary } from "../runs/run-summary.ts";

const MAX_ROWS = 100;

export interface SpendingRow {
	readonly name: string;
	readonly runs: number;
	readonly failed: number;
	readonly tokens: number;
	readonly costUsd: number;
	readonly durationMs: number;
}

/** Who spent the money, over everything the journal still has. */
export interface Spending {
	readonly total: SpendingRow;
	readonly agents: readonly SpendingRow[];
	readonly models: readonly SpendingRow[];
	readonly projects: readonly SpendingRow[];
	/** By the day of this machine's time zone, newest first. */
	readonly days: readonly SpendingRow[];
}

export function sumSpending(runs: readonly RunSummary[]): Spending {
	const by = (choose: (run: RunSummary) => string) =>
		[...groupBy(runs, choose)].map(([name, group]) => sumRuns(name, group));
	const byCost = (rows: SpendingRow[]) =>
		rows.sort((left, right) => right.costUsd - left.costUsd || right.runs - left.runs).slice(0, MAX_ROWS);
	return {
		total: sumRuns("all", runs),
		agents: byCost(by(({ agent }) => agent)),
		models: byCost(by(({ model }) => model ?? "unknown")),
		projects: byCost(by(({ cwd }) => cwd ?? "unknown")),
		days: by(({ startedAt }) => toDay(startedAt))
			.sort((left, right) => (left.name < right.name ? 1 : -1))
			.slice(0, MAX_ROWS),
	};
}

function sumRuns(name: string, runs: readonly RunSummary[]): SpendingRow {
	const sum = (amount: (run: RunSummary) => number) => runs.reduce((total, run) => total + amount(run), 0);
	return {
		name,
		runs: runs.length,
		failed: runs.filter(({ state }) => state === "failed" || state === "lost").length,
		tokens: sum(({ usage }) => (usage ? sumTokens(usage) : 0)),
		costUsd: sum(({ usage }) => usage?.cost ?? 0),
		durationMs: sum(({ durationMs }) => durationMs ?? 0),
	};
}

function toDay(time: string): string {
	const date = new Date(time);
	if (Number.isNaN(date.getTime())) return "unknown";
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
