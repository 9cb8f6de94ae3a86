import type { BatchRecord } from "../batch-record.ts";
import { type LedgerReading, readLedger } from "./read-ledger.ts";

/** What is known of a task that ran before. Its answer stays on disk. */
export interface LedgerEntry {
	readonly id: string;
	readonly status: BatchRecord["status"];
	readonly attempt: number;
	/** Over all attempts. */
	readonly costUsd: number;
	readonly durationMs: number;
}

/** The newest entry of each task in an output file, by its key. */
export async function readEntries(
	file: string,
): Promise<LedgerReading & { readonly entries: Map<string, LedgerEntry> }> {
	const entries = new Map<string, LedgerEntry>();
	const reading = await readLedger(file, ({ record }) => entries.set(record.key, toEntry(record)));
	return { ...reading, entries };
}

export function toEntry(record: BatchRecord): LedgerEntry {
	return {
		id: record.id,
		status: record.status,
		attempt: record.attempt ?? 1,
		costUsd: record.costUsd + (record.earlierCostUsd ?? 0),
		durationMs: record.durationMs,
	};
}
