import { sumTokens } from "../contract/usage.ts";
import { filterRuns, type RunFilter } from "../runs/filter-runs.ts";
import type { RunSummary } from "../runs/run-summary.ts";

export const PAGE_SIZE = 100;
const MAX_CHOICES = 100;

export interface RunQuery extends RunFilter {
	/** From 0. */
	readonly page?: number | undefined;
	/** A column of the page, such as `Cost`; `-Cost` from the greatest on. */
	readonly sort?: string | undefined;
}

const COLUMNS: Readonly<Record<string, (run: RunSummary) => string | number>> = {
	Run: ({ agent, task }) => `${agent} ${task ?? ""}`.toLowerCase(),
	Project: ({ cwd }) => (cwd ?? "").toLowerCase(),
	Model: ({ model }) => (model ?? "").toLowerCase(),
	Started: ({ startedAt }) => startedAt,
	Time: ({ durationMs }) => durationMs ?? 0,
	Tokens: ({ usage }) => (usage ? sumTokens(usage) : 0),
	Cost: ({ usage }) => usage?.cost ?? 0,
};

function sortRuns(runs: readonly RunSummary[], sort: string): readonly RunSummary[] {
	const value = COLUMNS[sort.replace("-", "")];
	if (value === undefined) return runs;
	const sign = sort.startsWith("-") ? -1 : 1;
	return runs.toSorted((left, right) => {
		const [one, other] = [value(left), value(right)];
		return one === other ? 0 : one < other ? -sign : sign;
	});
}

export interface RunPage {
	readonly runs: readonly RunSummary[];
	/** That match, on all pages. */
	readonly total: number;
	readonly page: number;
	readonly pages: number;
	readonly running: number;
	/** What the list can be narrowed by. */
	readonly choices: {
		readonly agents: readonly string[];
		readonly models: readonly string[];
		readonly projects: readonly string[];
	};
}

/** One page of the runs that match, with those that go on first. */
export function selectRunPage(runs: readonly RunSummary[], query: RunQuery): RunPage {
	const matching = filterRuns(runs, query);
	const running = matching.filter(({ state }) => state === "running");
	const ordered = query.sort
		? sortRuns(matching, query.sort)
		: [...running, ...matching.filter(({ state }) => state !== "running")];
	const pages = Math.max(1, Math.ceil(ordered.length / PAGE_SIZE));
	const page = Math.min(pages - 1, Math.max(0, query.page ?? 0));
	return {
		runs: ordered.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
		total: ordered.length,
		page,
		pages,
		running: running.length,
		choices: {
			agents: listChoices(runs, ({ agent }) => agent),
			models: listChoices(runs, ({ model }) => model),
			projects: listChoices(runs, ({ cwd }) => cwd),
		},
	};
}

function listChoices(
	runs: readonly RunSummary[],
	choose: (run: RunSummary) => string | undefined,
): readonly string[] {
	return [...new Set(runs.flatMap((run) => choose(run) ?? []))].sort().slice(0, MAX_CHOICES);
}
