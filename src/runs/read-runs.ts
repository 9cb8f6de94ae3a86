import { createRunIndex } from "./create-run-index.ts";
import { filterRuns, type RunFilter } from "./filter-runs.ts";
import type { RunSummary } from "./run-summary.ts";

/** Runs that go on and runs that are over, newest first. */
export function readRuns(agentDirectory: string, filter: RunFilter = {}): readonly RunSummary[] {
	const index = createRunIndex(agentDirectory);
	index.refresh();
	return filterRuns(index.runs(), filter);
}
