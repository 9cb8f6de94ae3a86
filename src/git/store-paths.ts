import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { rememberResults } from "@deputize/ground";
import type { TreeFile } from "./compare-trees.ts";
import { lookAt } from "./look-at.ts";
import type { Store } from "./open-store.ts";
import { updateIndex } from "./snapshot-files.ts";

const INDEX = "index.now";

/**
 * What is at some paths of a directory now, each as a tree would have it, with its content in the store. Absent are those
 * where there is neither a file nor a link, or only behind a link.
 */
export async function storePaths(
	store: Store,
	top: string,
	paths: readonly string[],
): Promise<ReadonlyMap<string, TreeFile>> {
	const isPlain = rememberResults((directory: string): boolean => {
		if (directory === ".") return true;
		const entry = lookAt(top, directory);
		return isPlain(dirname(directory)) && entry?.isDirectory() === true;
	});
	const there = paths.filter((path) => {
		if (!isPlain(dirname(path))) return false;
		const entry = lookAt(top, path);
		return entry?.isFile() === true || entry?.isSymbolicLink() === true;
	});
	rmSync(join(store.directory, INDEX), { force: true });
	const view = { top, isExact: true, isForeign: true };
	const { told } = await updateIndex(store, there, { index: INDEX, view }, `"$0" ls-files -z --stage`);
	rmSync(join(store.directory, INDEX), { force: true });
	return new Map(
		told
			.split("\0")
			.slice(0, -1)
			.map((line) => {
				const [mode = "", blob = ""] = line.split(" ", 2);
				return [line.slice(line.indexOf("\t") + 1), { mode, blob }] as const;
			}),
	);
}
