import { readdirSync } from "node:fs";
import { rememberResults } from "@deputize/ground";
import type { Conflict } from "../contract/changes.ts";
import type { TreeDifference, TreeFile } from "../git/compare-trees.ts";
import { lookAt, toBytePath } from "../git/look-at.ts";
import { type Merge, mergeContents } from "../git/merge-contents.ts";
import type { Store } from "../git/open-store.ts";
import { storePaths } from "../git/store-paths.ts";
import { createOwnRepositoryTest } from "./own-repository.ts";
import { toShown } from "./to-shown.ts";

/** From what is there now to what is there then, at one path. */
export interface Step {
	/** Its bytes, as characters of one byte each. */
	readonly path: string;
	readonly before?: StepFile;
	readonly after?: StepFile;
}

export interface StepFile extends TreeFile {
	/** Rights, for a file. */
	readonly rights: number;
}

export type Plan = { readonly steps: readonly Step[] } | { readonly conflicts: readonly Conflict[] };

const LINK = "120000";
const EXECUTABLE = "100755";
const ALL_EXECUTE = 0o111;
const ALL_READ = 0o444;

/** What changes in the project when changes are applied to it as it is now, or why they cannot be. Writes nothing there. */
export async function planApply(
	store: Store,
	project: string,
	entries: readonly TreeDifference[],
): Promise<Plan> {
	const now = await storePaths(
		store,
		project,
		entries.map(({ path }) => path),
	);
	const sorted = sortEntries(entries, now);
	const merged = await mergeEntries(store, sorted.merges);
	const wanted = [...sorted.wanted, ...merged.wanted];
	const removed = new Set(wanted.filter(({ after }) => after === undefined).map(({ path }) => path));
	const explain = createObstacleSearch(project, removed);
	const obstacles = wanted.flatMap(({ path, after }): Conflict[] => {
		const reason = after === undefined ? undefined : explain(path, now.has(path));
		return reason === undefined ? [] : [{ path: toShown(path), reason }];
	});
	const conflicts = [...sorted.conflicts, ...merged.conflicts, ...obstacles];
	if (conflicts.length > 0) return { conflicts };
	const steps = wanted
		.map((file) => toStep(project, file, now.get(file.path)))
		.filter(({ before, after }) => !isSameEntry(before, after))
		.sort((left, right) => (left.path < right.path ? -1 : 1));
	return { steps };
}

interface Wanted {
	readonly path: string;
	readonly after?: TreeFile;
}

type NamedMerge = Merge & { readonly path: string; readonly mode: string };

/** What can be written as the child made it, what has to be merged, and what cannot be. */
function sortEntries(entries: readonly TreeDifference[], now: ReadonlyMap<string, TreeFile>) {
	const wanted: Wanted[] = [];
	const merges: NamedMerge[] = [];
	const conflicts: Conflict[] = [];
	for (const { path, before, after } of entries) {
		const here = now.get(path);
		if (isSameEntry(here, after)) continue;
		if (isSameEntry(here, before)) wanted.push({ path, ...(after ? { after } : {}) });
		else if (isRegular(here) && isRegular(before) && isRegular(after))
			merges.push({ path, base: before, ours: here, theirs: after, mode: mergeModes(before, here, after) });
		else conflicts.push({ path: toShown(path), reason: explainUnlike(before, here, after) });
	}
	return { wanted, merges, conflicts };
}

async function mergeEntries(store: Store, merges: readonly NamedMerge[]) {
	const wanted: Wanted[] = [];
	const conflicts: Conflict[] = [];
	for (const [at, merged] of (await mergeContents(store, merges)).entries()) {
		const { path = "", mode = "" } = merges[at] ?? {};
		if ("blob" in merged) wanted.push({ path, after: { mode, blob: merged.blob } });
		else if ("conflicts" in merged)
			conflicts.push({ path: toShown(path), reason: "both changed the same lines", lines: merged.conflicts });
		else conflicts.push({ path: toShown(path), reason: "both changed it, and it is not text" });
	}
	return { wanted, conflicts };
}

function toStep(project: string, { path, after }: Wanted, here: TreeFile | undefined): Step {
	const rights = here === undefined ? undefined : Number(lookAt(project, path)?.mode ?? 0n) & 0o7777;
	return {
		path,
		...(here === undefined ? {} : { before: { ...here, rights: rights ?? 0 } }),
		...(after === undefined ? {} : { after: { ...after, rights: chooseRights(after, here, rights) } }),
	};
}

export function isSameEntry(left: TreeFile | undefined, right: TreeFile | undefined): boolean {
	return left?.mode === right?.mode && left?.blob === right?.blob;
}

function isRegular(file: TreeFile | undefined): file is TreeFile {
	return file !== undefined && file.mode !== LINK;
}

function mergeModes(base: TreeFile, ours: TreeFile, theirs: TreeFile): string {
	return ours.mode === base.mode ? theirs.mode : ours.mode;
}

function explainUnlike(
	before: TreeFile | undefined,
	here: TreeFile | undefined,
	after: TreeFile | undefined,
): string {
	if (here === undefined) return "it is gone from the project, and the child changed it";
	if (after === undefined) return "it was changed in the project, and the child removed it";
	if (before === undefined) return "it was made in the project and by the child, with different contents";
	return "it was changed in the project and by the child, and one of them is a link";
}

/** Those that the file has here, with or without the right to execute. */
function chooseRights({ mode }: TreeFile, here: TreeFile | undefined, rights: number | undefined): number {
	const isExecutable = mode === EXECUTABLE;
	if (rights === undefined || here?.mode === LINK) return (isExecutable ? 0o777 : 0o666) & ~process.umask();
	if (!isExecutable) return rights & ~ALL_EXECUTE;
	return (rights & 0o100) !== 0 ? rights : rights | ((rights & ALL_READ) >> 2);
}

/** Why no file can be made at a path: there is a directory with other files in it, or no directory above it. */
function createObstacleSearch(project: string, removed: ReadonlySet<string>) {
	const look = (path: string) => lookAt(project, path);
	const isOwn = createOwnRepositoryTest(project);
	const explainAbove = rememberResults((directory: string): string | undefined => {
		const end = directory.lastIndexOf("/");
		const above = end === -1 ? undefined : explainAbove(directory.slice(0, end));
		if (above !== undefined) return above;
		const entry = look(directory);
		if (entry === undefined || removed.has(directory)) return undefined;
		if (!entry.isDirectory())
			return `${toShown(directory)} is ${entry.isSymbolicLink() ? "a link" : "no directory"} in the project`;
		return look(`${directory}/.git`) !== undefined
			? `${toShown(directory)} is another repository in the project`
			: undefined;
	});
	const findOther = (directory: string): string | undefined => {
		const names = readdirSync(toBytePath(project, directory), { encoding: "buffer" });
		if (names.length === 0) return directory;
		for (const name of names) {
			const path = `${directory}/${name.toString("latin1")}`;
			if (removed.has(path)) continue;
			if (look(path)?.isDirectory() !== true) return path;
			const other = findOther(path);
			if (other !== undefined) return other;
		}
		return undefined;
	};
	return (path: string, isThere: boolean): string | undefined => {
		if (isOwn(path) || path.split("/").some((name) => name.toLowerCase() === ".git"))
			return "it belongs to Git itself";
		const end = path.lastIndexOf("/");
		const above = end === -1 ? undefined : explainAbove(path.slice(0, end));
		if (above !== undefined || isThere) return above;
		const entry = look(path);
		if (entry === undefined) return undefined;
		if (!entry.isDirectory()) return "there is something in the project that is neither a file nor a link";
		const other = findOther(path);
		return other === undefined ? undefined : `it is a directory in the project, with ${toShown(other)} in it`;
	};
}
