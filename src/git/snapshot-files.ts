import { constants, copyFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "./git-error.ts";
import { lookAt } from "./look-at.ts";
import type { FileView, Store } from "./open-store.ts";

/** Paths are bytes, and not always text: characters of one byte each. */
export interface Snapshot {
	readonly tree: string;
	/** Repositories inside that Git does not look into, with `/` at their end. */
	readonly repositories: readonly string[];
	/** Neither files nor links, or closed to us: as they were before. */
	readonly unreadable: readonly string[];
}

interface SnapshotOptions {
	/** Read again whatever their size and time say. */
	readonly touched?: ReadonlySet<string>;
	readonly signal?: AbortSignal | undefined;
}

const MAX_UNREADABLE = 100;
/** Ten million files and more. */
const MAX_INDEX_BYTES = 2 ** 30;
/** Far more than a look at any tree takes, and not so long that a pipe called .gitignore is never noticed. */
const LOOK_TIMEOUT_MS = 120_000;
const UNREADABLE = /fatal: (?:Unable to process path|unable to index file) '?([\s\S]*?)'?$/i;
const LOOK = `"$0" ls-files -z --others --exclude-standard && printf '/\\0' && "$0" diff-files -z --name-status --ignore-submodules=all`;

/** Begins with what a repository knows about its files, so that only what changed is read. */
export async function borrowIndex(store: Store, gitDirectory: string | undefined): Promise<void> {
	// A part of an index can be in files beside it.
	const names =
		gitDirectory === undefined ? [] : readdirSync(gitDirectory).filter((name) => IS_INDEX.test(name));
	for (const name of names) {
		const file = join(gitDirectory ?? "", name);
		const entry = statSync(file, { throwIfNoEntry: false });
		// A pipe would be waited for, on the thread of whoever asked.
		if (entry?.isFile() !== true || entry.size > MAX_INDEX_BYTES)
			throw new GitError(
				`${file} is no index of Git: ${entry?.isFile() === true ? `it has ${entry.size} bytes` : "it is no file"}.`,
			);
		copyFileSync(file, join(store.directory, name), constants.COPYFILE_FICLONE);
	}
	if (!names.includes("index")) await store.git(["read-tree", "--empty"]);
}

const IS_INDEX = /^(?:index|sharedindex\.[0-9a-f]+)$/;
const BASE_INDEX = "index.base";

/** What the files were is the beginning of every later look at them. */
export function keepBase({ directory }: Store): void {
	copyFileSync(join(directory, "index"), join(directory, BASE_INDEX), constants.COPYFILE_FICLONE);
}

export function returnToBase({ directory }: Store): void {
	copyFileSync(join(directory, BASE_INDEX), join(directory, "index"), constants.COPYFILE_FICLONE);
}

export function listBasePaths(store: Store): Promise<readonly string[]> {
	return listPaths(store, BASE_INDEX);
}

export async function listPaths(store: Store, index = "index"): Promise<readonly string[]> {
	return (await store.git(["ls-files", "-z"], { index })).toString("latin1").split("\0").slice(0, -1);
}

/** Files of the directory that are not what they were by size and time, or were not there. */
export async function listUnlikeBase(store: Store, top: string): Promise<readonly string[]> {
	const options = ["diff-files", "-z", "--name-only", "--ignore-submodules=all"];
	const listed = await store.git(options, { index: BASE_INDEX, view: { top, isExact: false } });
	return listed.toString("latin1").split("\0").slice(0, -1);
}

/** A tree of the files as they are: tracked, changed, new, and nothing that is ignored. The store's index is then as the tree. */
export async function snapshotFiles(
	store: Store,
	view: FileView,
	{ touched = new Set(), signal }: SnapshotOptions = {},
): Promise<Snapshot> {
	await keepNoPromise(store, view, touched);
	if (touched.size > 0) await forgetNotes(store, touched);
	const seen = (await store.script(LOOK, { view, signal, timeoutMs: LOOK_TIMEOUT_MS }))
		.toString("latin1")
		.split("\0")
		.slice(0, -1);
	const others = seen.slice(0, seen.indexOf("/"));
	const isRepository = (path: string): boolean => path.endsWith("/");
	const changed = pairUp(seen.slice(others.length + 1));
	// Also where there is a directory now, which Git refuses to look at under the name of a file.
	const removed = changed.filter(([status]) => status === "D").map(([, path]) => path);
	if (removed.length > 0) await editIndex(store, "--force-remove", removed);
	const kept = changed.filter(([status]) => status !== "D").map(([, path]) => path);
	const paths = [...others.filter((path) => !isRepository(path)), ...new Set(kept)];
	const unreadable = await updateIndex(store, paths, { view, signal });
	// Objects that the repository never had, as in a partial clone, are no reason to fail.
	const tree = await writeTree(store, view);
	return { tree, repositories: others.filter(isRepository), unreadable };
}

/**
 * Git sets the time of an object that it finds instead of writing it, also of one that is borrowed: only a program that cannot
 * write there may see them.
 */
async function writeTree(store: Store, { apart }: FileView): Promise<string> {
	const view = { top: store.directory, isExact: false, wrap: apart };
	const written = await store.git(
		["write-tree", "--missing-ok"],
		apart === undefined ? { isAlone: true } : { view },
	);
	return written.toString("latin1").trim();
}

function pairUp(fields: readonly string[]): (readonly [status: string, path: string])[] {
	return fields.flatMap((status, at) => (at % 2 === 0 ? [[status, fields[at + 1] ?? ""] as const] : []));
}

/**
 * A user can have promised Git that files do not change (`assume-unchanged`), or that they are not there (a sparse
 * checkout). A child knows of no promise.
 */
async function keepNoPromise(store: Store, { top }: FileView, touched: ReadonlySet<string>): Promise<void> {
	const listed = (await store.git(["ls-files", "-z", "-v"])).toString("latin1").split("\0").slice(0, -1);
	const isThere = (path: string): boolean => touched.has(path) || lookAt(top, path) !== undefined;
	const promised = listed
		.filter((line) => line[0] !== "H")
		.map((line) => ({ tag: line[0] ?? "", path: line.slice(2) }));
	const unchanged = promised.filter(({ tag }) => tag !== tag.toUpperCase());
	const present = promised.filter(({ tag, path }) => tag.toUpperCase() === "S" && isThere(path));
	const steps = [
		["--no-assume-unchanged", unchanged],
		["--no-skip-worktree", present],
	] as const;
	for (const [option, rows] of steps)
		if (rows.length > 0)
			await editIndex(
				store,
				option,
				rows.map(({ path }) => path),
			);
}

/** No file is looked at, but Git wants a directory where they could be. */
async function editIndex(store: Store, option: string, paths: readonly string[]): Promise<void> {
	await store.git(["update-index", option, "-z", "--stdin"], {
		input: toInput(paths),
		view: { top: store.directory, isExact: false },
	});
}

function toInput(paths: readonly string[]): Buffer {
	return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** Size and time of these files are not believed. */
async function forgetNotes(store: Store, touched: ReadonlySet<string>): Promise<void> {
	const listed = (await store.git(["ls-files", "-z", "--stage"])).toString("latin1").split("\0").slice(0, -1);
	const rows = listed.filter((line) => touched.has(line.slice(line.indexOf("\t") + 1)));
	if (rows.length > 0) await store.git(["update-index", "-z", "--index-info"], { input: toInput(rows) });
}

/** Which of the paths could not be read. */
export async function updateIndex(
	store: Store,
	paths: readonly string[],
	call: { readonly view: FileView; readonly index?: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly string[]> {
	const unreadable: string[] = [];
	let left = paths;
	while (left.length > 0) {
		try {
			await store.git(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], {
				...call,
				input: toInput(left),
			});
			return unreadable;
		} catch (error) {
			const [, path] = (error instanceof GitError && UNREADABLE.exec(error.message)) || [];
			const raw = path === undefined ? undefined : Buffer.from(path, "utf8").toString("latin1");
			if (raw === undefined || !left.includes(raw) || unreadable.length >= MAX_UNREADABLE) throw error;
			unreadable.push(raw);
			left = left.filter((candidate) => candidate !== raw);
		}
	}
	return unreadable;
}
