import { readIfThere, readPart } from "@deputize/ground";
import { JOURNAL_SHELVES, journalFile, KEPT_FILES, rotatedFile } from "../journal/journal-file.ts";
import { isJournalStart, parseJournalLine } from "../journal/parse-journal-line.ts";
import type { RunSummary } from "./run-summary.ts";
import { type RunRecords, toRunSummary } from "./to-run-summary.ts";

/** More is read the next time; a journal file is rotated at a sixteenth of this. */
const MAX_ADDITION_BYTES = 16 * 1024 * 1024;

interface Place {
	readonly inode: number;
	readonly offset: number;
}

interface IndexState {
	/** Of runs that have not ended: what is known of the others is in their summary. */
	readonly records: Map<string, RunRecords>;
	readonly summaries: Map<string, RunSummary>;
	/** The version in which each summary came. */
	readonly versions: Map<string, number>;
	/** Of each journal file that is written to now. */
	readonly places: Map<string, Place>;
	sorted: readonly RunSummary[] | undefined;
}

export function createRunIndex(agentDirectory: string) {
	const files = JOURNAL_SHELVES.map((shelf) => journalFile(agentDirectory, shelf));
	let state = createState();
	let version = 0;
	const look = (): readonly RunSummary[] => {
		const touched = new Set<string>();
		// Rotated: what was read may be gone, so everything is read again, at most once in a thousand runs.
		if (!files.every((file) => readAddition(file, state, touched))) {
			state = createState();
			for (const file of files) readWhole(file, state, touched);
		}
		for (const run of state.summaries.values()) if (run.state === "running") touched.add(run.runId);
		const changed = update(state, touched, version + 1);
		if (changed.length > 0) version += 1;
		return changed;
	};
	return {
		/** Reads what was added, and looks whether runs that go on still do. */
		refresh(): void {
			// A process that is gone may have written its end after the journal was read.
			if (look().some((run) => run.state === "lost")) look();
		},
		/** Grows whenever a run is new or has changed. */
		version: (): number => version,
		/** Runs that are new or have changed since then: somebody else may have called `refresh` in the meantime. */
		changedSince(seen: number): readonly RunSummary[] {
			if (seen === version) return [];
			return [...state.summaries.values()].filter(({ runId }) => (state.versions.get(runId) ?? 0) > seen);
		},
		/** Newest first. */
		runs(): readonly RunSummary[] {
			state.sorted ??= [...state.summaries.values()].sort(compareStarts);
			return state.sorted;
		},
		find: (runId: string): RunSummary | undefined => state.summaries.get(runId),
	};
}

/** All runs the journal knows. It reads only what was added since it last looked; the journal itself is bounded. */
export type RunIndex = ReturnType<typeof createRunIndex>;

function createState(): IndexState {
	const [records, summaries, versions] = [new Map(), new Map(), new Map()];
	return { records, summaries, versions, places: new Map(), sorted: undefined };
}

function compareStarts(left: RunSummary, right: RunSummary): number {
	return left.startedAt < right.startedAt ? 1 : left.startedAt > right.startedAt ? -1 : 0;
}

/** Returns the runs that are new or have changed. */
function update(state: IndexState, touched: ReadonlySet<string>, version: number): readonly RunSummary[] {
	const changed: RunSummary[] = [];
	for (const runId of touched) {
		const before = state.summaries.get(runId);
		const records = state.records.get(runId) ?? {};
		const after = toRunSummary(records);
		if (records.end) state.records.delete(runId);
		if (after === undefined || (before?.state === after.state && before.durationMs === after.durationMs))
			continue;
		state.summaries.set(runId, after);
		state.versions.set(runId, version);
		changed.push(after);
	}
	if (changed.length > 0) state.sorted = undefined;
	return changed;
}

function readWhole(file: string, state: IndexState, touched: Set<string>): void {
	for (let age = KEPT_FILES - 1; age > 0; age -= 1)
		takeLines(readIfThere(rotatedFile(file, age)) ?? "", state, touched);
	state.places.set(file, { inode: 0, offset: 0 });
	readAddition(file, state, touched);
}

/** False when the file is not the one that was read before. */
function readAddition(file: string, state: IndexState, touched: Set<string>): boolean {
	const place = state.places.get(file);
	if (place === undefined) return false;
	const { inode, offset } = place;
	const part = readPart(file, () => ({ offset, maxBytes: MAX_ADDITION_BYTES }));
	if (part === undefined) return inode === 0;
	if ((inode !== 0 && part.inode !== inode) || part.size < offset) return false;
	// The last line may not be complete yet.
	const end = part.bytes.lastIndexOf(0x0a) + 1;
	takeLines(part.bytes.toString("utf8", 0, end), state, touched);
	state.places.set(file, { inode: part.inode, offset: offset + end });
	return true;
}

function takeLines(text: string, state: IndexState, touched: Set<string>): void {
	for (const line of text.split("\n")) {
		const record = parseJournalLine(line);
		if (record?.kind !== "subagent" || record.runId === undefined) continue;
		const known = state.records.get(record.runId);
		state.records.set(
			record.runId,
			isJournalStart(record) ? { ...known, start: record } : { ...known, end: record },
		);
		touched.add(record.runId);
	}
}
