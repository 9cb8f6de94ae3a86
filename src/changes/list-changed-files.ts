import type { ChangedFile } from "../contract/changes.ts";
import { countChangedLines } from "../git/compare-trees.ts";
import type { Store } from "../git/open-store.ts";
import type { ChangeRecord } from "./change-record.ts";
import { toShown } from "./to-shown.ts";

/** What a person is shown of a change. */
export async function listChangedFiles(
	store: Store,
	{ before, after }: NonNullable<ChangeRecord["trees"]>,
): Promise<readonly Omit<ChangedFile, "isApplied">[]> {
	const counted = await countChangedLines(store, before, after);
	return counted.map(({ path, from, ...rest }) => ({
		path: toShown(path),
		...(from === undefined ? {} : { from: toShown(from) }),
		...rest,
	}));
}
