import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RedactedText } from "../contract/result.ts";
import type { JournalRecord } from "./journal-record.ts";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SUMMARY_CHARS = 300;
/** One small write to a file opened for appending is not torn apart by another process doing the same. */
const MAX_LINE_BYTES = 4000;
export const KEPT_FILES = 3;

export function journalFile(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "journal.jsonl");
}

/** `journal.jsonl`, then `journal.jsonl.1`, and so on to the oldest. */
export function rotatedFile(file: string, age: number): string {
	return age === 0 ? file : `${file}.${age}`;
}

/** Adds one line. A log that cannot be written never fails the work it tells about. */
export function appendJournal(agentDirectory: string, record: JournalRecord): void {
	const file = journalFile(agentDirectory);
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		rotate(file);
		appendFileSync(file, `${toLine(record)}\n`, { mode: 0o600 });
	} catch {
		// Read-only or full disk: the answer matters more than the note about it.
	}
}

function toLine(record: JournalRecord): string {
	const summary = record.summary.replace(/\s+/g, " ").slice(0, MAX_SUMMARY_CHARS) as RedactedText;
	const line = JSON.stringify({ ...record, summary });
	if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
	const { tools: _, ...short } = record;
	return JSON.stringify({ ...short, summary: summary.slice(0, MAX_SUMMARY_CHARS / 4) });
}

function rotate(file: string): void {
	const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	if (size < MAX_FILE_BYTES) return;
	for (let age = KEPT_FILES - 1; age > 0; age -= 1) {
		try {
			renameSync(rotatedFile(file, age - 1), rotatedFile(file, age));
		} catch {
			// Not there yet, or another process has just moved it.
		}
	}
}
