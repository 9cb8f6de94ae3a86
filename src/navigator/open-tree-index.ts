import { canonicalPath, defined } from "@deputize/ground";
import { buildCodeIndex, type CodeIndex, locateIndexCache } from "@deputize/navigator";
import type { Judge } from "../judge/create-judge.ts";
import { createOpenTest } from "../judge/create-open-test.ts";
import { listTreeFiles } from "./list-tree-files.ts";

export interface TreeOptions {
	readonly cwd: string;
	/** Which files of the tree may be read. */
	readonly judge: Judge;
	/** The user's directory, where the words of unchanged files are kept. */
	readonly agentDirectory?: string;
	readonly namesOnly?: boolean;
	readonly signal?: AbortSignal;
}

/** The index of the files below a directory that may be read. */
export async function openTreeIndex(options: TreeOptions): Promise<CodeIndex> {
	const { cwd, judge, signal, namesOnly } = options;
	const root = canonicalPath(cwd);
	const isOpen = createOpenTest(root, judge);
	const paths = (await listTreeFiles(root, signal)).filter(isOpen);
	return buildCodeIndex({
		root,
		paths,
		...defined({ namesOnly, signal, cacheFile: chooseCache(root, options) }),
	});
}

/** Nothing is kept of a tree that is closed, and nothing of a home directory as a whole. */
function chooseCache(root: string, { judge, agentDirectory }: TreeOptions): string | undefined {
	if (agentDirectory === undefined || judge.workingTree() === undefined) return undefined;
	if (judge.explain(root) !== undefined) return undefined;
	return locateIndexCache(agentDirectory, root);
}
