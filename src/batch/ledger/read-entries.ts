import { createEntryTable } from "./create-entry-table.ts";
import { toEntry } from "./ledger-entry.ts";
import { type LedgerReading, readLedger } from "./read-ledger.ts";

/** The newest entry of each task in an output file, by its key. */
export async function readEntries(
	file: string,
): Promise<LedgerReading & { readonly entries: ReturnType<typeof createEntryTable> }> {
	const entries = createEntryTable();
	const reading = await readLedger(file, ({ record }) => entries.set(record.key, toEntry(record)));
	return { ...reading, entries };
}
