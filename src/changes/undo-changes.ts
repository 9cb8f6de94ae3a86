import { existsSync } from "node:fs";
import type { ChangeSet, ChangesPlace } from "../contract/changes.ts";
import { storePaths } from "../git/store-paths.ts";
import { readApplied } from "./applied-file.ts";
import { readRecord } from "./change-record.ts";
import { ChangesError } from "./changes-error.ts";
import { findChange, openStoreOf, settleAll } from "./find-changes.ts";
import { finishWriting } from "./finish-writing.ts";
import { isSameEntry, type Step } from "./plan-apply.ts";
import { toChangeSet } from "./to-change-set.ts";
import { toShown } from "./to-shown.ts";
import { withProjectLock } from "./with-project-lock.ts";
import { writeSteps } from "./write-steps.ts";

export type UndoResult =
	| { readonly isUndone: true; readonly change: ChangeSet; readonly files: readonly string[] }
	/** Somebody has changed these since, and nothing was changed. */
	| { readonly isUndone: false; readonly change: ChangeSet; readonly changed: readonly string[] };

/** Takes back exactly what the last apply of a change wrote. */
export async function undoChanges(place: ChangesPlace, id: string): Promise<UndoResult> {
	await settleAll(place);
	const found = findChange(place, id);
	const { state } = found;
	const { project } = found.record;
	const result = await withProjectLock({ ...place, project }, async (): Promise<UndoResult> => {
		const record = readRecord(state);
		const last = readApplied(state).at(-1);
		if (record === undefined || last === undefined)
			throw new ChangesError(`${found.record.id} is not applied, so there is nothing to take back.`);
		if (!existsSync(project))
			throw new ChangesError(`${project} is not there any more. Nothing was changed.`);
		const store = openStoreOf(found, place);
		const paths = last.steps.map(({ path }) => path);
		const now = await storePaths(store, project, paths);
		const changed = last.steps
			.filter(({ path, after }) => !isSameEntry(now.get(path), after))
			.map(({ path }) => toShown(path));
		if (changed.length > 0) return { isUndone: false, change: await toChangeSet(state, record), changed };
		const steps = last.steps.map(
			({ path, before, after }): Step => ({
				path,
				...(after === undefined ? {} : { before: after }),
				...(before === undefined ? {} : { after: before }),
			}),
		);
		const writing = await writeSteps({ state, store, project, steps, paths: last.paths, undone: last });
		const undone = finishWriting(state, record, writing);
		return { isUndone: true, change: await toChangeSet(state, undone), files: paths.map(toShown) };
	});
	if (result === undefined) throw new ChangesError(`${project} is being written to. Try again.`);
	return result;
}
