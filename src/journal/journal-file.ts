import { join } from "node:path";

/**
 * Runs of batches have files of their own: one batch of 10,000 would otherwise push out everything else. All of them are
 * in the output of the batch anyway.
 */
export const JOURNAL_SHELVES = ["single", "batch"] as const;
type JournalShelf = (typeof JOURNAL_SHELVES)[number];

const NAMES: Readonly<Record<JournalShelf, string>> = {
	single: "journal.jsonl",
	batch: "journal-batch.jsonl",
};

/** Of each shelf, the current one included; with starts and ends about 8,000 runs in all. */
export const KEPT_FILES = 6;

export function journalFile(agentDirectory: string, shelf: JournalShelf = "single"): string {
	return join(agentDirectory, "deputize", NAMES[shelf]);
}

/** `journal.jsonl`, then `journal.jsonl.1`, and so on to the oldest. */
export function rotatedFile(file: string, age: number): string {
	return age === 0 ? file : `${file}.${age}`;
}
