import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TreeFile } from "./compare-trees.ts";
import type { Store } from "./open-store.ts";

const INDEX = "index.placed";

/** Writes contents of the store to new files and links of an empty directory, byte for byte. */
export async function placeFiles(
	store: Store,
	directory: string,
	files: ReadonlyMap<string, TreeFile>,
): Promise<void> {
	if (files.size === 0) return;
	rmSync(join(store.directory, INDEX), { force: true });
	const lines = [...files].map(([name, { mode, blob }]) => `${mode} ${blob}\t${name}\0`).join("");
	await store.git(["update-index", "-z", "--index-info"], { index: INDEX, input: lines });
	await store.git(["checkout-index", "--all"], {
		index: INDEX,
		view: { top: directory, isExact: true, isForeign: true },
	});
	rmSync(join(store.directory, INDEX), { force: true });
}
