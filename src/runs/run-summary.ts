import type { JournalPlace, JournalRecord } from "../journal/journal-record.ts";

/** `lost`: the process that ran it is gone without having noted an end, as after `kill -9`. */
export type RunState = "running" | "done" | "failed" | "cancelled" | "lost";

/** One run in a list. Texts are redacted. */
export interface RunSummary extends JournalPlace, Pick<JournalRecord, "code" | "cause" | "usage"> {
	readonly runId: string;
	readonly agent: string;
	readonly state: RunState;
	/** ISO 8601. */
	readonly startedAt: string;
	/** Absent while it runs, and when nobody knows. */
	readonly durationMs?: number;
	/** The beginning of the task, where it was noted. */
	readonly task?: string;
	readonly error?: string;
}
