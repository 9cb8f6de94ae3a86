import { join } from "node:path";
import type { ChangeSet, ChangesPlace } from "../contract/changes.ts";
import { takeFileLock } from "../process/take-file-lock.ts";
import { ChangesError } from "./changes-error.ts";
import { findChange, settleAll } from "./find-changes.ts";
import { removeLayer } from "./remove-layer.ts";
import { toChangeSet } from "./to-change-set.ts";

/** Removes a change for good, with its layer. What was applied stays in the project, and can no longer be taken back. */
export async function dropChanges(place: ChangesPlace, id: string): Promise<ChangeSet> {
	await settleAll(place);
	const { state, record } = findChange(place, id);
	const lock = takeFileLock(join(state, "owner.lock"));
	if (lock === undefined)
		throw new ChangesError(`The child of ${record.id} is still at work. Stop it first. Nothing was removed.`);
	const change = await toChangeSet(state, record);
	lock.release();
	removeLayer(state);
	return change;
}
