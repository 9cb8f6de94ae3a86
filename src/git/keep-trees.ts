import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TreeDifference, TreeFile } from "./compare-trees.ts";
import type { Store } from "./open-store.ts";

/**
 * Two trees of nothing but what is different, and one file in the store with all that is in them. It needs nothing that is
 * borrowed any more. Fails when a content is missing.
 */
export async function keepTrees(
	store: Store,
	entries: readonly TreeDifference[],
): Promise<{ readonly before: string; readonly after: string }> {
	const before = await buildTree(store, entries, "before");
	const after = await buildTree(store, entries, "after");
	await packTrees(store, { before, after });
	return { before, after };
}

export async function packTrees(
	store: Store,
	{ before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
	await store.git(["pack-objects", "-q", "--revs", join(store.directory, "objects", "pack", "pack")], {
		input: `${before}\n${after}\n`,
	});
}

async function buildTree(
	store: Store,
	entries: readonly TreeDifference[],
	side: "before" | "after",
): Promise<string> {
	const index = `index.${side}`;
	rmSync(join(store.directory, index), { force: true });
	const lines = entries.flatMap((entry) => toIndexLine(entry.path, entry[side]) ?? []);
	if (lines.length > 0)
		await store.git(["update-index", "-z", "--index-info"], {
			index,
			input: Buffer.from(lines.join(""), "latin1"),
		});
	const tree = await store.git(["write-tree", "--missing-ok"], { index, isAlone: true });
	rmSync(join(store.directory, index), { force: true });
	return tree.toString("latin1").trim();
}

export function toIndexLine(path: string, file: TreeFile | undefined): string | undefined {
	return file === undefined ? undefined : `${file.mode} ${file.blob}\t${path}\0`;
}
