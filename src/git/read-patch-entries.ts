import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "@deputize/ground";
import { compareTrees, type TreeDifference } from "./compare-trees.ts";
import { GitError } from "./git-error.ts";
import { keepTrees, toIndexLine } from "./keep-trees.ts";
import type { FileView, Store } from "./open-store.ts";
import { storePaths } from "./store-paths.ts";

const SUBMODULE = "160000";
/** Parts of a path that lead out of a project, or into its repository. */
const NO_NAMES = ["", ".", "..", ".git"];
/** A few bytes of a binary patch can be a file of any size. In KiB. */
const BOUNDS = "ulimit -v 2097152";
/** In reverse it names what was there before. */
const NAME = `${BOUNDS}; exec "$0" apply --reverse --numstat -z patch`;
/** Two trees: what was before by the names that the patch gives to contents, and that with the patch. */
const BUILD = `${BOUNDS}; set -e
"$0" apply --build-fake-ancestor=index.before patch
before=$(GIT_INDEX_FILE=index.before "$0" write-tree); echo "$before"
GIT_INDEX_FILE=index.after "$0" read-tree "$before"
GIT_INDEX_FILE=index.after "$0" apply --cached --whitespace=nowarn patch
GIT_INDEX_FILE=index.after "$0" write-tree`;

/**
 * What a patch changes, with the contents before and after in the store. What was before is looked up by its name in the
 * repository, and among the files of the project as they are now; nothing is guessed from lines that look alike. The patch
 * may be anyone's. Rejects with a `GitError`.
 */
export async function readPatchEntries(
	store: Store,
	patch: Buffer,
	{ project, apart }: { readonly project: string; readonly apart: FileView["apart"] },
) {
	const file = join(store.directory, "patch");
	writeAtomically(file, patch);
	const view = { top: store.directory, isExact: false, wrap: apart };
	const names = (await store.script(NAME, { view })).toString("latin1").split("\0").slice(0, -1);
	const paths = names.map((line) => line.split("\t").slice(2).join("\t"));
	const strange = paths.find((path) => path.split("/").some((name) => NO_NAMES.includes(name.toLowerCase())));
	if (strange !== undefined) throw new GitError(`invalid path ${JSON.stringify(strange)}`);
	const now = await storePaths(store, project, paths);
	const rows = [...now].map(([path, entry]) => toIndexLine(path, entry)).join("");
	// A file that was only renamed, or whose rights were changed, is named by its path alone.
	if (rows !== "")
		await store.git(["update-index", "-z", "--index-info"], { input: Buffer.from(rows, "latin1") });
	const [before = "", after = ""] = (await store.script(BUILD, { view })).toString("latin1").split("\n");
	const entries = await compareTrees(store, before, after);
	const isModule = ({ before: was, after: is }: TreeDifference): boolean =>
		[was?.mode, is?.mode].includes(SUBMODULE);
	if (entries.some(isModule)) throw new GitError("it changes a submodule, which is never applied.");
	const { lines, ...trees } = await keepTrees(store, entries);
	rmSync(file);
	return { entries, trees, lines };
}
