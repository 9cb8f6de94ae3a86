import { readRuns } from "../../../runs/read-runs.ts";
import type { RunSummary } from "../../../runs/run-summary.ts";

const MAX_EARLIER = 100;

/** What the journal knows of a session of pi, the oldest first. */
export function readEarlierRuns(agentDirectory: string, sessionId: string): readonly RunSummary[] {
	const parent = `pi:${sessionId}`;
	return readRuns(agentDirectory, { parent })
		.filter((run) => run.parent === parent)
		.slice(0, MAX_EARLIER)
		.toReversed();
}
