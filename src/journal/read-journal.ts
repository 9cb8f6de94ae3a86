import { readFileSync } from "node:fs";
import { NO_USAGE } from "../contract/usage.ts";
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
		return isRecord(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

function isRecord(parsed: JournalRecord | null): boolean {
	return (
		parsed !== null &&
		JOURNAL_KINDS.includes(parsed.kind) &&
		[parsed.name, parsed.time, parsed.summary].every((text) => typeof text === "string") &&
		typeof parsed.ok === "boolean" &&
		Number.isFinite(parsed.durationMs) &&
		(parsed.usage === undefined || isUsage(parsed.usage))
	);
}

function isUsage(usage: unknown): boolean {
	if (typeof usage !== "object" || usage === null) return false;
	const fields = usage as Readonly<Record<string, unknown>>;
	return Object.keys(NO_USAGE).every((name) => Number.isFinite(fields[name]));
}
