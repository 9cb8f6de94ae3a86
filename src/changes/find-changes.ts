import { listIfThere } from "@deputize/ground";
import type { ChangesPlace } from "../contract/changes.ts";
import { GitError } from "../git/git-error.ts";
import { openStore, type Store } from "../git/open-store.ts";
import { type ChangeRecord, readRecord } from "./change-record.ts";
import { CHANGE_ID, changesDirectory, stateDirectory } from "./changes-directory.ts";
import { ChangesError } from "./changes-error.ts";
import { settleWriting } from "./finish-writing.ts";
import { storeDirectory } from "./view-files.ts";
import { withProjectLock } from "./with-project-lock.ts";
import { readWriting } from "./write-steps.ts";

export interface FoundChange {
	readonly state: string;
	readonly record: ChangeRecord;
}

/** Every layer and every stored change, newest first. */
export function readRecords(
	{ agentDirectory }: ChangesPlace,
	isWanted: (state: string) => boolean = () => true,
): readonly FoundChange[] {
	return listIfThere(changesDirectory(agentDirectory))
		.filter((name) => CHANGE_ID.test(name))
		.map((id) => stateDirectory(agentDirectory, id))
		.filter(isWanted)
		.flatMap((state) => {
			const record = readRecord(state);
			return record === undefined ? [] : [{ state, record }];
		})
		.sort((left, right) => right.record.createdAt.localeCompare(left.record.createdAt));
}

/** By an id, or the beginning of one. */
export function findChange(place: ChangesPlace, id: string): FoundChange {
	const whole = CHANGE_ID.test(id) ? stateDirectory(place.agentDirectory, id) : undefined;
	const exact = whole === undefined ? undefined : readRecord(whole);
	if (whole !== undefined && exact !== undefined) return { state: whole, record: exact };
	const found = readRecords(place).filter(
		({ record }) => id !== "" && record.id.startsWith(id.toLowerCase()),
	);
	const [first, ...more] = found;
	if (first === undefined)
		throw new ChangesError(`There is no change ${id}. List them with: deputize changes --all`);
	if (more.length > 0)
		throw new ChangesError(
			`${id} is the beginning of ${found.length} changes: ${found.map(({ record }) => record.id).join(", ")}. Write more of it.`,
		);
	return first;
}

/** Where the contents of a collected change are; it borrows nothing. */
export function openStoreOf({ state }: FoundChange, { env }: ChangesPlace): Store {
	return openStore({ directory: storeDirectory(state), env });
}

/**
 * Finishes or takes back what was being written when its process ended. What somebody writes now is left alone. Says what a
 * person should look at.
 */
export async function settleAll(place: ChangesPlace): Promise<readonly string[]> {
	const notices: string[] = [];
	// Their journals only: this is asked before every step of a person, and there can be thousands of changes.
	for (const found of readRecords(place, (state) => readWriting(state) !== undefined)) {
		const { project, id } = found.record;
		try {
			await withProjectLock({ ...place, project, waitMs: 0 }, async () => {
				const writing = readWriting(found.state);
				const record = readRecord(found.state);
				if (writing === undefined || record === undefined) return;
				const foreign = await settleWriting({ ...found, record, store: openStoreOf(found, place) }, writing);
				if (foreign.length > 0)
					notices.push(
						`Applying ${id} was interrupted and taken back, but for files that were changed since: ${foreign.join(", ")}`,
					);
			});
		} catch (error) {
			if (!(error instanceof GitError) && !(error instanceof ChangesError)) throw error;
			notices.push(`Applying ${id} was interrupted and could not be taken back yet: ${error.message}`);
		}
	}
	return notices;
}
