import { canonicalPath, defined } from "@deputize/ground";
import {
	buildCodeIndex,
	type CodeIndex,
	createSyntax,
	extractTerms,
	locateIndexCache,
	type OpenGrammars,
} from "@deputize/navigator";
import type { Judge } from "../judge/create-judge.ts";
import { createOpenTest } from "../judge/create-open-test.ts";
import { countAllFiles, listFilesWith, listTreeFiles } from "./list-tree-files.ts";

export interface TreeOptions {
	readonly cwd: string;
	/** Which files of the tree may be read. */
	readonly judge: Judge;
	/** The user's directory, where the words of unchanged files are kept. */
	readonly agentDirectory?: string;
	readonly namesOnly?: boolean;
	readonly signal?: AbortSignal;
}

/** The index of the files below a directory that may be read. Of a tree that is too large, those that have the names of the task are in it. */
export async function openTreeIndex(
	options: TreeOptions,
	task: string,
	grammars: OpenGrammars,
): Promise<CodeIndex> {
	const { cwd, judge, signal, namesOnly } = options;
	const root = canonicalPath(cwd);
	const isOpen = createOpenTest(root, judge);
	const listed = await listTreeFiles(root, signal);
	if (listed.length === 0) await refuseIgnored(root, signal);
	const paths = listed.filter(isOpen);
	const cacheFile = chooseCache(root, options);
	const source = { root, paths, ...defined({ namesOnly, signal, cacheFile }) };
	const index = await buildCodeIndex(source);
	if (namesOnly === true) return index;
	const names = extractTerms(task)
		.terms.filter(({ kind }) => kind === "symbol" || kind === "phrase")
		.map(({ text }) => text);
	const withNames =
		index.leftOut > 0 ? await listByName(names, root, isOpen, signal) : new Map<string, readonly string[]>();
	const first = index.cutOff > 0 ? [...withNames.values()].flat() : [];
	const whole = first.length > 0 ? await buildCodeIndex({ ...source, first }) : index;
	const read = new Set(whole.files.map(({ path }) => path));
	const unread = new Map(
		[...withNames].map(([name, found]) => [name, found.filter((path) => !read.has(path))] as const),
	);
	return { ...whole, unread, syntax: createSyntax(grammars, cacheFile) };
}

/** The whole tree, not only what was read of it. */
async function listByName(
	names: readonly string[],
	root: string,
	isOpen: (path: string) => boolean,
	signal: AbortSignal | undefined,
): Promise<Map<string, readonly string[]>> {
	const found = new Map<string, readonly string[]>();
	for (const name of names) found.set(name, (await listFilesWith(name, root, signal)).filter(isOpen));
	return found;
}

async function refuseIgnored(root: string, signal: AbortSignal | undefined): Promise<void> {
	const count = await countAllFiles(root, signal);
	if (count > 0)
		throw new Error(
			`each of its ${count} files is excluded by a .gitignore, .ignore or .rgignore there or above. Change it, or ask about another directory.`,
		);
}

/** Nothing is kept of a tree that is closed, and nothing of a home directory as a whole. */
function chooseCache(root: string, { judge, agentDirectory }: TreeOptions): string | undefined {
	if (agentDirectory === undefined || judge.workingTree() === undefined) return undefined;
	if (judge.explain(root) !== undefined) return undefined;
	return locateIndexCache(agentDirectory, root);
}
