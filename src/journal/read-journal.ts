import { readFileSync } from "node:fs";
import { journalFile, KEPT_FILES, rotatedFile } from "./append-journal.ts";
import { JOURNAL_KINDS, type JournalKind, type JournalRecord } from "./journal-record.ts";

/** The records, newest first. Lines that are torn or not ours are passed over. */
export function readJournal(
	agentDirectory: string,
	options: { readonly kinds?: readonly JournalKind[]; readonly limit?: number } = {},
): readonly JournalRecord[] {
	const kinds = options.kinds?.length ? options.kinds : JOURNAL_KINDS;
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	const found: JournalRecord[] = [];
	for (let age = 0; age < KEPT_FILES && found.length < limit; age += 1) {
		const lines = readLines(rotatedFile(journalFile(agentDirectory), age)).reverse();
		found.push(
			...(lines
				.map(parseRecord)
				.filter((record) => record !== undefined && kinds.includes(record.kind)) as JournalRecord[]),
		);
	}
	return found.slice(0, limit);
}

function readLines(file: string): string[] {
	try {
		return readFileSync(file, "utf8").split("\n");
	} catch {
		return [];
	}
}

function parseRecord(line: string): JournalRecord | undefined {
	try {
		const parsed = JSON.parse(line) as JournalRecord;
		const valid =
			JOURNAL_KINDS.includes(parsed?.kind) &&
			typeof parsed.name === "string" &&
			typeof parsed.time === "string";
		return valid && Number.isFinite(parsed.durationMs) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
