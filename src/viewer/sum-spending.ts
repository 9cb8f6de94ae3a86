import { groupBy } from "@deputize/ground";
import { sumTokens } from "../contract/usage.ts";
import { type DailySum, toDay } from "../journal/daily-sums.ts";
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
	/** The first day that is counted. */
	readonly since?: string;
	/** Runs that the journal does not have any more: they are in the total and the days only. */
	readonly forgotten: number;
}

export function sumSpending(runs: readonly RunSummary[], forgotten: readonly DailySum[] = []): Spending {
	const by = (choose: (run: RunSummary) => string) =>
		[...groupBy(runs, choose)].map(([name, group]) => sumRuns(name, group));
	const old = forgotten.map(({ day, ...sum }): SpendingRow => ({ name: day, ...sum }));
	const days = [...groupBy([...by(({ startedAt }) => toDay(startedAt)), ...old], ({ name }) => name)]
		.map(([name, rows]) => addRows(name, rows))
		.sort((left, right) => (left.name < right.name ? 1 : -1));
	const since = days.at(-1)?.name;
	const byCost = (rows: SpendingRow[]) =>
		rows.sort((left, right) => right.costUsd - left.costUsd || right.runs - left.runs).slice(0, MAX_ROWS);
	return {
		total: addRows("all", [sumRuns("all", runs), ...old]),
		agents: byCost(by(({ agent }) => agent)),
		models: byCost(by(({ model }) => model ?? "unknown")),
		projects: byCost(by(({ cwd }) => cwd ?? "unknown")),
		days: days.slice(0, MAX_ROWS),
		...(since === undefined ? {} : { since }),
		forgotten: old.reduce((sum, row) => sum + row.runs, 0),
	};
}

function addRows(name: string, rows: readonly SpendingRow[]): SpendingRow {
	const sum = (field: Exclude<keyof SpendingRow, "name">) =>
		rows.reduce((total, row) => total + row[field], 0);
	return {
		name,
		runs: sum("runs"),
		failed: sum("failed"),
		tokens: sum("tokens"),
		costUsd: sum("costUsd"),
		durationMs: sum("durationMs"),
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
