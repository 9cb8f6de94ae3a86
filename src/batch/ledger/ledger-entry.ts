import { defined } from "@deputize/ground";
import type { BatchRecord, TaskError } from "../batch-record.ts";
import { digestText } from "../create-digest-table.ts";

/** What is known of a task that ran before. Its answer stays on disk. */
export interface LedgerEntry {
	/** Digest of its id: the names of a million tasks would fill the memory. */
	readonly id: string;
	readonly status: BatchRecord["status"];
	/** Why it failed. */
	readonly kind?: string;
	readonly attempt: number;
	/** Over all attempts. */
	readonly costUsd: number;
	readonly durationMs: number;
	/** Milliseconds since 1970; 0 when its line does not say. */
	readonly finishedAt: number;
}

export function toEntry(record: BatchRecord): LedgerEntry {
	return {
		id: toEntryId(record.id),
		status: record.status,
		...defined({ kind: record.error && nameFailure(record.error) }),
		attempt: record.attempt ?? 1,
		costUsd: record.costUsd + (record.earlierCostUsd ?? 0),
		durationMs: record.durationMs,
		finishedAt: Date.parse(record.finishedAt ?? "") || 0,
	};
}

/** How the id of a task is kept in an entry. */
export function toEntryId(id: string): string {
	return digestText(id).toString("hex");
}

/** What programs and people compare: the cause, or the code where nothing ran. */
export function nameFailure({ code, cause }: TaskError): string {
	return cause?.kind ?? code;
}
