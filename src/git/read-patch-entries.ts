import { join } from "node:path";
import { compareTrees, type TreeDifference } from "./compare-trees.ts";
import { GitError } from "./git-error.ts";
import { toIndexLine } from "./keep-trees.ts";
import type { FileView, Store } from "./open-store.ts";
import { storePaths } from "./store-paths.ts";

const SUBMODULE = "160000";
/** A few bytes of a binary patch can be a file of any size. In KiB. */
const MAX_MEMORY = 2 * 1024 * 1024;
/** Parts of a path that lead out of a project, or into its repository. */
const NO_NAMES = ["", ".", "..", ".git"];
const NOW = "index.now";
const BEFORE = "index.before";
const AFTER = "index.after";

/**
 * What a patch changes, with the contents before and after in the store: by the names that the patch gives to what was before,
 * which are looked up in the repository and among the files of the project as they are now. Nothing is guessed from lines
 * that look alike. The patch may be anyone's. Rejects with a `GitError`.
 */
export async function readPatchEntries(
	store: Store,
	patch: Buffer,
	{ project, apart }: { readonly project: string; readonly apart: FileView["apart"] },
): Promise<readonly TreeDifference[]> {
	const view = { top: store.directory, isExact: false, wrap: apart };
	const run = (args: string, index: string): Promise<Buffer> =>
		store.script(`ulimit -v ${MAX_MEMORY}; exec "$0" apply ${args}`, { view, index, input: patch });
	// In reverse it names what was there before.
	const names = (await run("--reverse --numstat -z", NOW)).toString("latin1");
	const paths = names
		.split("\0")
		.slice(0, -1)
		.map((line) => line.split("\t").slice(2).join("\t"));
	const strange = paths.find((path) => path.split("/").some((name) => NO_NAMES.includes(name.toLowerCase())));
	if (strange !== undefined) throw new GitError(`invalid path ${JSON.stringify(strange)}`);
	const now = await storePaths(store, project, paths);
	const lines = [...now].map(([path, file]) => toIndexLine(path, file)).join("");
	if (lines !== "")
		await store.git(["update-index", "-z", "--index-info"], {
			index: NOW,
			input: Buffer.from(lines, "latin1"),
		});
	await run(`--build-fake-ancestor='${quote(join(store.directory, BEFORE))}'`, NOW);
	// Fails when a content is missing.
	const before = await writeTree(store, view, BEFORE);
	await store.git(["read-tree", before], { index: AFTER });
	await run("--cached --whitespace=nowarn", AFTER);
	const entries = await compareTrees(store, before, await writeTree(store, view, AFTER));
	if (entries.some(({ before: was, after }) => [was?.mode, after?.mode].includes(SUBMODULE)))
		throw new GitError("it changes a submodule, which is never applied.");
	return entries;
}

async function writeTree(store: Store, view: FileView, index: string): Promise<string> {
	const written = await store.git(["write-tree"], { index, view });
	return written.toString("latin1").trim();
}

function quote(text: string): string {
	return text.replaceAll("'", "'\\''");
}
