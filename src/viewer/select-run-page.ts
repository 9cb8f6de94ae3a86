import { filterRuns, type RunFilter } from "../runs/filter-runs.ts";
import type { RunSummary } from "../runs/run-summary.ts";

export const PAGE_SIZE = 100;
const MAX_CHOICES = 100;

export interface RunQuery extends RunFilter {
	/** From 0. */
	readonly page?: number | undefined;
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
	const ordered =
		running.length === 0 ? matching : [...running, ...matching.filter(({ state }) => state !== "running")];
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
