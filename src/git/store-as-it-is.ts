import type { TreeDifference } from "./compare-trees.ts";
import type { Store } from "./open-store.ts";
import { listUnlikeBase } from "./snapshot-files.ts";
import { storePaths } from "./store-paths.ts";

/**
 * A repository can store a file otherwise than it is on the disk: a pointer of Git LFS, other ends of lines. What was before
 * a change is then what the file was, or it could neither be compared with what it is now nor brought back.
 */
export async function storeAsItIs(
	store: Store,
	entries: readonly TreeDifference[],
	project: string,
): Promise<readonly TreeDifference[]> {
	const paths = entries.filter(({ before }) => before !== undefined).map(({ path }) => path);
	if (paths.length === 0) return entries;
	const now = await storePaths(store, project, paths);
	const isOther = ({ path, before }: TreeDifference): boolean =>
		before !== undefined && now.has(path) && now.get(path)?.blob !== before.blob;
	if (!entries.some(isOther)) return entries;
	// Of these, the user has changed some since; what they were is in the repository only.
	const changed = new Set(await listUnlikeBase(store, project));
	return entries.flatMap((entry) => {
		const file = isOther(entry) && !changed.has(entry.path) ? now.get(entry.path) : undefined;
		const asItIs = file === undefined ? entry : { ...entry, before: file };
		// Read again only because it was touched, and the same after all.
		const isSame = asItIs.before?.blob === asItIs.after?.blob && asItIs.before?.mode === asItIs.after?.mode;
		return isSame ? [] : [asItIs];
	});
}
