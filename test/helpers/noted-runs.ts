import { hostname } from "node:os";
import type { RedactedText } from "../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../src/contract/usage.ts";
import { appendJournal } from "../../src/journal/append-journal.ts";
import type { JournalRecord, JournalStart } from "../../src/journal/journal-record.ts";
import { openRunEvents, type RunEvents } from "../../src/journal/open-run-events.ts";
import type { RunEnd } from "../../src/journal/run-event.ts";
import { identifyProcess } from "../../src/process/identify-process.ts";

/** A time so many seconds into the first of January 2026. */
export const second = (count: number): string => new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString();

export function toStart(runId: string, change: Partial<JournalStart> = {}): JournalStart {
	return {
		event: "start",
		time: second(0),
		kind: "subagent",
		name: "explorer",
		runId,
		summary: `task of ${runId}` as RedactedText,
		model: "posed/model",
		process: { ...identifyProcess(process.pid), host: hostname() },
		...change,
	};
}

export function toEnd(start: JournalStart, change: Partial<JournalRecord> = {}): JournalRecord {
	const { event: _, process: __, time, ...place } = start;
	return {
		...place,
		time: new Date(Date.parse(time) + 5000).toISOString(),
		startedAt: time,
		ok: true,
		durationMs: 5000,
		usage: { ...NO_USAGE, input: 1000, output: 200, cost: 0.25, turns: 2 },
		...change,
	};
}

/** A run that goes on: its start in the journal and an open file of events. */
export function noteRun(
	agentDirectory: string,
	start: JournalStart,
	sessionFile = "/nowhere.jsonl",
): RunEvents & { end(change?: Partial<JournalRecord>, output?: string): void } {
	appendJournal(agentDirectory, start);
	const events = openRunEvents(agentDirectory, {
		type: "start",
		at: Date.parse(start.time),
		start,
		task: start.summary,
		tools: ["read", "grep"],
		runtime: "pi",
		sessionFile,
	});
	return {
		...events,
		end(change, output = "the answer") {
			const record = toEnd(start, change);
			appendJournal(agentDirectory, record);
			const end: RunEnd = {
				type: "end",
				at: Date.parse(record.time),
				ok: record.ok,
				output: output as RedactedText,
				usage: record.usage ?? NO_USAGE,
				durationMs: record.durationMs,
			};
			events.close(end);
		},
	};
}
