import { existsSync } from "node:fs";
import { join } from "node:path";
import { findNearWord } from "@deputize/ground";
import type { ChangeSet, ChangesPlace, Conflict } from "../contract/changes.ts";
import type { TreeDifference } from "../git/compare-trees.ts";
import { takeFileLock } from "../process/take-file-lock.ts";
import { type ChangeRecord, readRecord, writeRecord } from "./change-record.ts";
import { ChangesError } from "./changes-error.ts";
import { type FoundChange, findChange, openStoreOf, settleAll } from "./find-changes.ts";
import { finishWriting } from "./finish-writing.ts";
import { planApply } from "./plan-apply.ts";
import { removeLayerFiles } from "./remove-layer.ts";
import { toChangeSet } from "./to-change-set.ts";
import { toShown } from "./to-shown.ts";
import { withProjectLock } from "./with-project-lock.ts";
import { writeSteps } from "./write-steps.ts";

export type ApplyResult =
	| { readonly isApplied: true; readonly change: ChangeSet; readonly files: readonly string[] }
	/** Nothing was changed. */
	| { readonly isApplied: false; readonly change: ChangeSet; readonly conflicts: readonly Conflict[] };

interface ApplyOptions {
	/** Paths as they are shown; without it, all that are not applied yet. */
	readonly files?: readonly string[];
	/** Says what would happen, and changes nothing. */
	readonly isTrial?: boolean;
}

/**
 * Brings changes into the project as it is now: a merge of what a file was, what the child made of it, and what it is, for all
 * files or none. Rejects with a `ChangesError` when it cannot be done; nothing is changed then either.
 */
export async function applyChanges(
	place: ChangesPlace,
	id: string,
	options: ApplyOptions = {},
): Promise<ApplyResult> {
	await settleAll(place);
	const found = findChange(place, id);
	const { project } = found.record;
	const result = await withProjectLock({ ...place, project }, () => applyLocked(place, found, options));
	if (result === undefined) throw new ChangesError(`${project} is being written to. Try again.`);
	return result;
}

async function applyLocked(
	place: ChangesPlace,
	found: FoundChange,
	options: ApplyOptions,
): Promise<ApplyResult> {
	const { id } = found.record;
	// Somebody can have dropped it while we waited.
	if (readRecord(found.state) === undefined)
		throw new ChangesError(`The change ${id} was dropped meanwhile.`);
	// Whose session goes on works in the same layer, which must not go away below it.
	const lock = takeFileLock(join(found.state, "owner.lock"));
	if (lock === undefined)
		throw new ChangesError(
			`The child of ${id} is at work again, or somebody drops it. Wait until it has ended. Nothing was changed.`,
		);
	try {
		return await applyOwned(place, found, options);
	} finally {
		lock.release();
	}
}

async function applyOwned(
	place: ChangesPlace,
	found: FoundChange,
	options: ApplyOptions,
): Promise<ApplyResult> {
	const { state } = found;
	const record = readRecord(state);
	if (record === undefined) throw new ChangesError(`The change ${found.record.id} was dropped meanwhile.`);
	checkReady(record);
	const chosen = chooseEntries(record, options.files);
	const store = openStoreOf(found, place);
	const plan = await planApply(store, record.project, chosen);
	if ("conflicts" in plan)
		return { isApplied: false, change: await toChangeSet(state, record), conflicts: plan.conflicts };
	const paths = chosen.map(({ path }) => path);
	const files = paths.map(toShown);
	if (options.isTrial === true) return { isApplied: true, change: await toChangeSet(state, record), files };
	const writing = await writeSteps({ state, store, project: record.project, steps: plan.steps, paths });
	const applied = finishWriting(state, record, writing);
	return { isApplied: true, change: await toChangeSet(state, clearLayer(state, applied)), files };
}

function checkReady({ id, state, project, entries }: ChangeRecord): void {
	if (state === "open")
		throw new ChangesError(
			`The child of ${id} is still at work. Wait until it has ended. Nothing was changed.`,
		);
	if (state === "applied")
		throw new ChangesError(`${id} is applied already. Take it back with: deputize changes undo ${id}`);
	if (entries.length === 0)
		throw new ChangesError(
			`${id} has nothing that can be applied: all that changed is ignored by Git, or in another repository.`,
		);
	if (!existsSync(project))
		throw new ChangesError(
			`${project} is not there any more. The changes are kept: deputize changes show ${id}`,
		);
}

/** A renamed file is one that is gone and one that is new, and chosen by either name. */
function chooseEntries(
	record: ChangeRecord,
	files: readonly string[] | undefined,
): readonly TreeDifference[] {
	const applied = new Set(record.applied);
	const left = record.entries.filter(({ path }) => !applied.has(path));
	if (files === undefined) return left;
	const known = record.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
	const unknown = files.find((file) => !known.includes(file));
	if (unknown !== undefined) {
		const near = findNearWord(unknown, known);
		throw new ChangesError(
			`${unknown} is not among the files of ${record.id}.${near === undefined ? "" : ` Did you mean ${near}?`} Nothing was changed.`,
		);
	}
	const wanted = new Set(
		record.files
			.filter(({ path, from }) => files.includes(path) || (from !== undefined && files.includes(from)))
			.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
	);
	return left.filter(({ path }) => wanted.has(toShown(path)));
}

/** What a layer has is in the project and in the store, unless something in it is ignored. */
function clearLayer(state: string, record: ChangeRecord): ChangeRecord {
	const isKept = record.state !== "applied" || record.ignored.count + record.repositories.count > 0;
	if (isKept || record.isLayerGone) return record;
	const cleared = { ...record, isLayerGone: true };
	writeRecord(state, cleared);
	removeLayerFiles(state);
	return cleared;
}
