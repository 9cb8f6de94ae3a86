import { readIfThere } from "@deputize/ground";
import { JOURNAL_SHELVES, journalFile, KEPT_FILES, rotatedFile } from "./journal-file.ts";
import { JOURNAL_KINDS, type JournalKind, type JournalRecord } from "./journal-record.ts";
import { isJournalStart, parseJournalLine } from "./parse-journal-line.ts";

/** What came to an end, newest first. Lines that are torn or not ours are passed over. */
export function readJournal(
	agentDirectory: string,
	options: { readonly kinds?: readonly JournalKind[]; readonly limit?: number } = {},
): readonly JournalRecord[] {
	const kinds = options.kinds?.length ? options.kinds : JOURNAL_KINDS;
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	const [single = [], batch = []] = JOURNAL_SHELVES.map((shelf) =>
		readShelf(journalFile(agentDirectory, shelf), kinds, limit),
	);
	return mergeNewestFirst(single, batch).slice(0, limit);
}

function readShelf(file: string, kinds: readonly JournalKind[], limit: number): readonly JournalRecord[] {
	const found: JournalRecord[] = [];
	for (let age = 0; age < KEPT_FILES && found.length < limit; age += 1) {
		for (const line of (readIfThere(rotatedFile(file, age)) ?? "").split("\n").reverse()) {
			const record = parseJournalLine(line);
			if (record !== undefined && !isJournalStart(record) && kinds.includes(record.kind)) found.push(record);
		}
	}
	return found;
}

/** Each list keeps its own order, which is that of writing. */
function mergeNewestFirst(
	left: readonly JournalRecord[],
	right: readonly JournalRecord[],
): readonly JournalRecord[] {
	const merged: JournalRecord[] = [];
	let at = 0;
	for (const record of left) {
		for (; (right[at]?.time ?? "") > record.time; at += 1) merged.push(right[at] as JournalRecord);
		merged.push(record);
	}
	return [...merged, ...right.slice(at)];
}
