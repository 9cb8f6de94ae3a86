import { toOneLine } from "@deputize/ground";
import { formatDuration } from "../../../../commands/format-figures.ts";
import { describeActivity } from "../../../../delegation/render-activity.ts";
import type { SessionRun } from "../session-runs.ts";

/** The agents of a session as text, the newest first, where there is no terminal to look into them. */
export function listSessionRuns(runs: readonly SessionRun[]): string {
	if (runs.length === 0) return "No agent was asked in this session yet.";
	return runs.toReversed().map(describeRun).join("\n");
}

function describeRun(run: SessionRun): string {
	const runId = run.result?.details.runId ?? run.update?.details.runId;
	const state = run.result
		? (run.result.details.error?.message ?? "done")
		: `${describeActivity(run.update?.details.streaming)}, ${formatDuration(Date.now() - run.startedAt)}`;
	return toOneLine(`${run.agent}${runId ? ` (run ${runId})` : ""}: ${state}: ${run.task}`);
}
