import { existsSync } from "node:fs";
import type { Store } from "../git/open-store.ts";
import { type Applied, readApplied, writeApplied } from "./applied-file.ts";
import { type ChangeRecord, readRecord, writeRecord } from "./change-record.ts";
import { endWriting, isWritten, takeBack, type Writing } from "./write-steps.ts";

/** Notes what a writing did that is complete in the project. Each part can be done again. */
export function finishWriting(state: string, record: ChangeRecord, writing: Writing): ChangeRecord {
	const { steps, directories, startedAt, kind, undoes } = writing;
	const own: Applied = { steps, paths: writing.paths, directories, startedAt };
	const others = readApplied(state).filter((applied) => ![startedAt, undoes].includes(applied.startedAt));
	writeApplied(state, kind === "apply" ? [...others, own] : others);
	const paths = new Set(writing.paths);
	const before = record.applied.filter((path) => !paths.has(path));
	const applied = kind === "apply" ? [...before, ...paths] : before;
	const isAll = applied.length === record.entries.length;
	const finished: ChangeRecord = {
		...record,
		...{ applied, state: isAll ? "applied" : "pending", changedAt: new Date().toISOString() },
	};
	writeRecord(state, finished);
	endWriting(state, record.project, writing);
	return finished;
}

/**
 * What became of a writing that was interrupted: finished where all of it is in the project, otherwise taken back. Whoever
 * calls this has the lock of the project. Names files that somebody has changed since.
 */
export async function settleWriting(
	{ state, store, record }: { readonly state: string; readonly store: Store; readonly record: ChangeRecord },
	writing: Writing,
): Promise<readonly string[]> {
	if (!existsSync(record.project)) return [];
	if (await isWritten(store, record.project, writing)) {
		finishWriting(state, readRecord(state) ?? record, writing);
		return [];
	}
	const foreign = await takeBack(store, record.project, writing);
	endWriting(state, record.project, writing);
	return foreign;
}
