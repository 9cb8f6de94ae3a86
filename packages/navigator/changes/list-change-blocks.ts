import type { ChangedFile, ChangedLine } from "./parse-diff.ts";

/** Lines that were removed, and those that came in their place. */
export interface ChangeBlock {
	readonly removed: readonly ChangedLine[];
	readonly added: readonly ChangedLine[];
	/** The line of the new file where it begins. */
	readonly at: number;
}

/** Cuts a change where lines were kept. */
export function listChangeBlocks({ added, removed }: Pick<ChangedFile, "added" | "removed">): ChangeBlock[] {
	const blocks: ChangeBlock[] = [];
	let [out, into] = [0, 0];
	// The next line of the old and of the new file that is not accounted for.
	let [old, fresh] = [1, 1];
	while (out < removed.length || into < added.length) {
		const keptBeforeRemoved = (removed[out]?.line ?? Number.POSITIVE_INFINITY) - old;
		const keptBeforeAdded = (added[into]?.line ?? Number.POSITIVE_INFINITY) - fresh;
		const kept = Math.min(keptBeforeRemoved, keptBeforeAdded);
		old += kept;
		fresh += kept;
		const at = fresh;
		const [firstOut, firstInto] = [out, into];
		for (; removed[out]?.line === old; out += 1) old += 1;
		for (; added[into]?.line === fresh; into += 1) fresh += 1;
		// Numbers that go back belong to no diff.
		if (out === firstOut && into === firstInto) return blocks;
		blocks.push({ removed: removed.slice(firstOut, out), added: added.slice(firstInto, into), at });
	}
	return blocks;
}
