import { defined } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { addUsage, NO_USAGE } from "../contract/usage.ts";
import type { JournalRecord } from "../journal/journal-record.ts";
import { runEventsFile } from "../journal/open-run-events.ts";
import { readRunEvents } from "../journal/read-run-events.ts";
import { readRuns } from "./read-runs.ts";
import type { RunSummary } from "./run-summary.ts";

const LOST = "The process that ran it ended while it was at work.";

/** Runs that nobody noted an end of, as records of one: they end with the last thing that is known of them. */
export function listLostRecords(agentDirectory: string): readonly JournalRecord[] {
	return readRuns(agentDirectory, { state: "lost" }).map((run) => toLostRecord(run, agentDirectory));
}

function toLostRecord(run: RunSummary, agentDirectory: string): JournalRecord {
	const { runId, agent, startedAt, task, cwd, model, sessionId, parent, batch, source } = run;
	const { events } = readRunEvents(runEventsFile(agentDirectory, runId));
	const began = Date.parse(startedAt);
	const ended = events.at(-1)?.at ?? began;
	const usage = events.reduce(
		(sum, event) => (event.type === "message" ? addUsage(sum, event.usage) : sum),
		NO_USAGE,
	);
	return {
		time: new Date(ended).toISOString(),
		kind: "subagent",
		name: agent,
		ok: false,
		code: "SUBAGENT_FAILED",
		cause: "crashed",
		startedAt,
		durationMs: Math.max(0, ended - began),
		// The task comes redacted from the journal.
		summary: (task ? `${LOST} Its task: ${task}` : LOST) as RedactedText,
		...(usage.turns > 0 || usage.cost > 0 ? { usage } : {}),
		...defined({ runId, cwd, model, sessionId, parent, batch, source }),
	};
}
