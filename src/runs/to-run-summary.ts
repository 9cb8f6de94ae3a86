import { defined } from "@deputize/ground";
import type { JournalRecord, JournalStart } from "../journal/journal-record.ts";
import { isProcessAlive, isThisMachine } from "../process/identify-process.ts";
import type { RunState, RunSummary } from "./run-summary.ts";

/** What the journal says about one run. One of the two is there; records of older versions have no start. */
export interface RunRecords {
	readonly start?: JournalStart | undefined;
	readonly end?: JournalRecord | undefined;
}

export function toRunSummary({ start, end }: RunRecords): RunSummary | undefined {
	const known = end ?? start;
	const runId = known?.runId;
	if (known === undefined || runId === undefined) return undefined;
	const failed = end !== undefined && !end.ok;
	return {
		runId,
		agent: known.name,
		state: end ? describeEnd(end) : describeOpenRun(start),
		startedAt: start?.time ?? end?.startedAt ?? guessStart(end) ?? known.time,
		...defined({
			durationMs: end?.durationMs,
			task: start?.summary ?? (failed ? undefined : end?.summary),
			error: failed ? end?.summary : undefined,
			code: end?.code,
			cause: end?.cause,
			cwd: known.cwd,
			model: known.model ?? start?.model,
			parent: known.parent,
			batch: known.batch,
			sessionId: known.sessionId ?? start?.sessionId,
			source: known.source,
			usage: end?.usage,
		}),
	};
}

function describeEnd({ ok, cause }: JournalRecord): RunState {
	if (ok) return "done";
	return cause === "cancelled" ? "cancelled" : "failed";
}

/** A process on another machine cannot be checked; nothing runs longer than this. */
const LONGEST_RUN_MS = 24 * 60 * 60 * 1000;

function describeOpenRun(start: JournalStart | undefined): RunState {
	if (start === undefined) return "lost";
	if (isThisMachine(start.process.host)) return isProcessAlive(start.process) ? "running" : "lost";
	return Date.now() - Date.parse(start.time) < LONGEST_RUN_MS ? "running" : "lost";
}

function guessStart(end: JournalRecord | undefined): string | undefined {
	const ended = end ? Date.parse(end.time) : Number.NaN;
	return end && Number.isFinite(ended) ? new Date(ended - end.durationMs).toISOString() : undefined;
}
