import type { ChangeSet, ChangesPlace } from "../contract/changes.ts";
import { readRecords, settleAll } from "./find-changes.ts";
import { recoverChanges } from "./recover-changes.ts";
import { toChangeSet } from "./to-change-set.ts";

interface ListedChanges {
	/** Newest first. */
	readonly changes: readonly ChangeSet[];
	/** What happened in the past and a person should know. */
	readonly notices: readonly string[];
}

interface ListOptions {
	/** Only of this one. */
	readonly project?: string;
	/** Only of those for which it is true. */
	readonly isWanted?: (project: string) => boolean;
}

/**
 * What children changed, in the wanted projects or everywhere: at work, not applied yet, applied. What was interrupted is set right
 * first: changes of a child that nobody collected, and files that were being written.
 */
export async function listChanges(
	place: ChangesPlace,
	{ project, isWanted = (other) => project === undefined || other === project }: ListOptions = {},
): Promise<ListedChanges> {
	const settled = await settleAll(place);
	const { problems } = await recoverChanges(place, isWanted);
	return {
		changes: await Promise.all(
			readRecords(place)
				.filter(({ record }) => !record.isThrownAway && isWanted(record.project))
				.map(({ state, record }) => toChangeSet(state, record)),
		),
		notices: [...settled, ...problems],
	};
}
