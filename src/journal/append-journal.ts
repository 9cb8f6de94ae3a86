import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { appendToFile, statIfThere } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { keepDailySums } from "./daily-sums.ts";
import { journalFile, KEPT_FILES, rotatedFile } from "./journal-file.ts";
import type { JournalRecord, JournalStart } from "./journal-record.ts";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SUMMARY_CHARS = 300;
/** One small write to a file opened for appending is not torn apart by another process doing the same. */
const MAX_LINE_BYTES = 4000;
const STALE_MARKER_MS = 10_000;

/** Adds one line. A log that cannot be written never fails the work it is about. */
export function appendJournal(agentDirectory: string, record: JournalRecord | JournalStart): void {
	const file = journalFile(agentDirectory, record.batch === undefined ? "single" : "batch");
	try {
		rotate(file);
		// Begins with a line break too: after a write that was cut off, this record is still on its own line.
		appendToFile(file, `\n${renderRecord(record)}\n`);
	} catch {
		// Read-only or full disk: the answer matters more than the note about it.
	}
}

function renderRecord(record: JournalRecord | JournalStart): string {
	const summary = record.summary.replace(/\s+/g, " ").slice(0, MAX_SUMMARY_CHARS) as RedactedText;
	const line = JSON.stringify({ ...record, summary });
	if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
	const { tools: _, ...short } = record as JournalRecord;
	return JSON.stringify({ ...short, summary: summary.slice(0, MAX_SUMMARY_CHARS / 4) });
}

/**
 * Only one process moves the files: two at once would each push the oldest out. Whoever comes second writes to
 * the full file, which the next line will find moved.
 */
function rotate(file: string): void {
	if (!isFull(file)) return;
	const marker = `${file}.rotating`;
	if (!take(marker)) return;
	try {
		if (isFull(file)) moveFiles(file);
	} finally {
		rmSync(marker, { force: true });
	}
}

function isFull(file: string): boolean {
	return (statIfThere(file)?.size ?? 0) >= MAX_FILE_BYTES;
}

/** A marker that is old was left by a process killed in this very moment. */
function take(marker: string): boolean {
	try {
		closeSync(openSync(marker, "wx", 0o600));
		return true;
	} catch {
		const since = statIfThere(marker)?.mtimeMs ?? Date.now();
		if (Date.now() - since > STALE_MARKER_MS) rmSync(marker, { force: true });
		return false;
	}
}

function moveFiles(file: string): void {
	keepDailySums(rotatedFile(file, KEPT_FILES - 1));
	for (let age = KEPT_FILES - 1; age > 0; age -= 1) {
		try {
			renameSync(rotatedFile(file, age - 1), rotatedFile(file, age));
		} catch {
			// Not there yet.
		}
	}
}
