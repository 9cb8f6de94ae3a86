import type { Ledger } from "./open-ledger.ts";
import { type LedgerEntry, toEntry } from "./read-entries.ts";

/** For a batch without an output file: nothing is kept when the process ends. */
export function createMemoryLedger(): Ledger {
	const entries = new Map<string, LedgerEntry>();
	return {
		entries,
		async write(record) {
			entries.set(record.key, toEntry(record));
		},
		tidy: () => Promise.resolve(),
		close: () => Promise.resolve(),
	};
}
