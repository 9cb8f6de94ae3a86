import { constants, copyFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "./git-error.ts";
import { lookAt } from "./look-at.ts";
import type { FileView, Store } from "./open-store.ts";

/** A row of an index. */
interface IndexRow {
	/** How Git marks it: `H`, another letter for a file that is not looked for, a small one for one that is promised not to change. */
	readonly tag: string;
	readonly path: string;
	/** As `--index-info` takes it. */
	readonly line: string;
}

/** Paths are bytes, and not always text: characters of one byte each. */
export interface Snapshot {
	/** What the index had before. */
	readonly rows: readonly IndexRow[];
	/** Files that were not in it. */
	readonly added: readonly string[];
	/** Repositories inside that Git does not look into, with `/` at their end. */
	readonly repositories: readonly string[];
	/** Neither files nor links, or closed to us: as they were before. */
	readonly unreadable: readonly string[];
	/** The index, as it is after this. */
	writeTree(): Promise<string>;
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
// Of several commands one program is started: on a busy machine every start takes longer than what Git does.
const NEXT = ` && printf '/\\0' && `;
const LIST = `"$0" ls-files -z -v --stage`;
const SET = `"$0" update-index -z --index-info`;
const LOOK = `"$0" ls-files -z --others --exclude-standard${NEXT}"$0" diff-files -z --name-status --ignore-submodules=all`;
/** Objects that the repository never had, as in a partial clone, are no reason to fail. */
const WRITE = `"$0" write-tree --missing-ok`;

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

/** Files of the directory that are not what they were by size and time, or were not there. */
export async function listUnlikeBase(store: Store, top: string): Promise<readonly string[]> {
	const options = ["diff-files", "-z", "--name-only", "--ignore-submodules=all"];
	const listed = await store.git(options, { index: BASE_INDEX, view: { top, isExact: false } });
	return listed.toString("latin1").split("\0").slice(0, -1);
}

/** The store's index becomes what the files are: tracked, changed, new, and nothing that is ignored. */
export async function snapshotFiles(
	store: Store,
	view: FileView,
	{ touched = new Set(), signal }: SnapshotOptions = {},
): Promise<Snapshot> {
	const run = async (script: string, input?: Buffer): Promise<readonly string[]> =>
		(
			await store.script(script, {
				view,
				signal,
				timeoutMs: LOOK_TIMEOUT_MS,
				...(input ? { input } : {}),
			})
		)
			.toString("latin1")
			.split("\0");
	// What a child touched is set first; otherwise there is rarely something to set.
	const isFirst = touched.size === 0;
	// Nothing changed is the usual case, and then the index is the tree.
	const seen = isFirst
		? await run(
				`${LIST}${NEXT}${LOOK}${view.wrap && view.isForeign !== true ? `${NEXT}{ ${WRITE} 2>/dev/null || :; }` : ""}`,
			)
		: [];
	const listed = isFirst ? seen : (await store.script(LIST)).toString("latin1").split("\0");
	const rows = toRows(listed);
	const unset = rows.filter((row) => mustBeSet(row, view, touched));
	const { others, changed, tree } = toFindings(
		unset.length === 0 && isFirst
			? seen.slice(rows.length + 1)
			: await run(`${SET}${NEXT}${LOOK}`, toInput(unset.map(({ line }) => line))).then((found) =>
					found.slice(1),
				),
	);
	const isRepository = (path: string): boolean => path.endsWith("/");
	// Also where there is a directory now, which Git refuses to look at under the name of a file.
	const removed = changed.filter(([status]) => status === "D").map(([, path]) => path);
	if (removed.length > 0)
		await store.git(["update-index", "--force-remove", "-z", "--stdin"], {
			input: toInput(removed),
			// No file is looked at, but Git wants a directory where they could be.
			view: { top: store.directory, isExact: false },
		});
	const kept = changed.filter(([status]) => status !== "D").map(([, path]) => path);
	const added = others.filter((path) => !isRepository(path));
	const { unreadable } = await updateIndex(store, [...added, ...new Set(kept)], { view, signal });
	const isAsItWas = added.length + changed.length === 0 && tree !== "";
	return {
		...{ rows, added, repositories: others.filter(isRepository), unreadable },
		writeTree: () => (isAsItWas ? Promise.resolve(tree) : writeTree(store, view)),
	};
}

function toRows(fields: readonly string[]): readonly IndexRow[] {
	const rows: IndexRow[] = [];
	for (const field of fields) {
		if (field === "" || field === "/") break;
		rows.push({ tag: field[0] ?? "", path: field.slice(field.indexOf("\t") + 1), line: field.slice(2) });
	}
	return rows;
}

function toFindings(fields: readonly string[]) {
	const at = fields.indexOf("/");
	const end = fields.indexOf("/", at + 1);
	return {
		others: fields.slice(0, at),
		changed: pairUp(fields.slice(at + 1, end < 0 ? -1 : end)),
		tree: end < 0 ? "" : (fields[end + 1] ?? "").trim(),
	};
}

/**
 * Git sets the time of an object that it finds instead of writing it, also of one that is borrowed: only a program that cannot
 * write there may see them.
 */
async function writeTree(store: Store, { apart }: FileView): Promise<string> {
	const view = { top: store.directory, isExact: false, wrap: apart };
	const written = await store.script(WRITE, apart === undefined ? { isAlone: true } : { view });
	return written.toString("latin1").trim();
}

function pairUp(fields: readonly string[]): (readonly [status: string, path: string])[] {
	return fields.flatMap((status, at) => (at % 2 === 0 ? [[status, fields[at + 1] ?? ""] as const] : []));
}

/**
 * Size and time of what a child touched are not believed. And a user can have promised Git that files do not change
 * (`assume-unchanged`), or that they are not there (a sparse checkout); a child knows of no promise. A row that is set again
 * has neither notes nor promises.
 */
function mustBeSet({ tag, path }: IndexRow, { top }: FileView, touched: ReadonlySet<string>): boolean {
	if (touched.has(path) || tag !== tag.toUpperCase()) return true;
	return tag === "S" && lookAt(top, path) !== undefined;
}

function toInput(paths: readonly string[]): Buffer {
	return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** Which of the paths could not be read, and what the script says that runs after it. */
export async function updateIndex(
	store: Store,
	paths: readonly string[],
	call: { readonly view: FileView; readonly index?: string; readonly signal?: AbortSignal | undefined },
	next = ":",
): Promise<{ readonly unreadable: readonly string[]; readonly told: string }> {
	const unreadable: string[] = [];
	let left = paths;
	while (left.length > 0) {
		try {
			const script = `"$0" update-index --add --remove --replace -z --stdin && ${next}`;
			const told = await store.script(script, { ...call, input: toInput(left) });
			return { unreadable, told: told.toString("latin1") };
		} catch (error) {
			const [, path] = (error instanceof GitError && UNREADABLE.exec(error.message)) || [];
			const raw = path === undefined ? undefined : Buffer.from(path, "utf8").toString("latin1");
			if (raw === undefined || !left.includes(raw) || unreadable.length >= MAX_UNREADABLE) throw error;
			unreadable.push(raw);
			left = left.filter((candidate) => candidate !== raw);
		}
	}
	return { unreadable, told: "" };
}
