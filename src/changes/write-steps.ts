import { randomBytes } from "node:crypto";
import {
	type BigIntStats,
	chmodSync,
	chownSync,
	linkSync,
	mkdirSync,
	renameSync,
	rmdirSync,
	rmSync,
	unlinkSync,
} from "node:fs";
import { join } from "node:path";
import {
	codeOf,
	isAmount,
	isObject,
	isText,
	openBelow,
	parseWith,
	readJsonFile,
	sleep,
	writeAtomically,
} from "@deputize/ground";
import type { TreeFile } from "../git/compare-trees.ts";
import { lookAt } from "../git/look-at.ts";
import type { Store } from "../git/open-store.ts";
import { placeFiles } from "../git/place-files.ts";
import { storePaths } from "../git/store-paths.ts";
import { ChangesError } from "./changes-error.ts";
import { isSame, type Step } from "./plan-apply.ts";
import { toShown } from "./to-shown.ts";

/**
 * How files of a project are replaced, all or none. New contents are written to a directory of its own in the project first,
 * and what they replace is moved there: from then on everything is a rename, which needs no room on the disk and can be
 * taken back, with the very files that were there. `journal.json` says what was going on when it was interrupted.
 */
export interface Writing {
	readonly version: 1;
	readonly kind: "apply" | "undo";
	/** Of the change, also those that need no step because the project has them already. */
	readonly paths: readonly string[];
	/** `startedAt` of the writing that is taken back. */
	readonly undoes?: number;
	/** Name of the directory, at the top of the project. */
	readonly staging: string;
	readonly isCommitting: boolean;
	readonly steps: readonly Step[];
	readonly directories: Directories;
	readonly startedAt: number;
}

/** Around what is written. By their bytes, as characters of one byte each. */
export interface Directories {
	/** Not there before. */
	readonly made: readonly string[];
	/** There before, with their rights: those that are empty afterwards are removed. */
	readonly emptied: readonly (readonly [path: string, rights: number])[];
}

interface WriteOptions {
	readonly state: string;
	readonly store: Store;
	readonly project: string;
	readonly steps: readonly Step[];
	readonly paths: readonly string[];
	/** The writing that this one takes back. */
	readonly undone?: Pick<Writing, "directories" | "startedAt">;
}

const LINK = "120000";
const PAUSE_EVERY = 200;
const RIGHTS = 0o7777;

/** Rejects with a `ChangesError` when nothing was changed, or all of it was taken back. */
export async function writeSteps(options: WriteOptions): Promise<Writing> {
	const { state, store, project, steps, paths, undone } = options;
	const staging = `.deputize-${randomBytes(6).toString("hex")}.tmp`;
	const writing: Writing = {
		...{ version: 1, staging, steps, paths, isCommitting: false, startedAt: Date.now() },
		...(undone === undefined ? { kind: "apply" } : { kind: "undo", undoes: undone.startedAt }),
		directories: planDirectories(project, steps),
	};
	const seen = new Map(steps.map(({ path }) => [path, stamp(lookAt(project, path))]));
	writeJournal(state, writing);
	const committing = { ...writing, isCommitting: true };
	try {
		await stage(store, project, writing);
		writeJournal(state, committing);
		await commit(project, committing, seen, undone?.directories);
	} catch (error) {
		const foreign = await takeBack(store, project, committing);
		rmSync(journalFile(state), { force: true });
		throw toChangesError(error, foreign);
	}
	return committing;
}

function journalFile(state: string): string {
	return join(state, "journal.json");
}

function writeJournal(state: string, writing: Writing): void {
	writeAtomically(journalFile(state), JSON.stringify(writing));
}

export function readJournal(state: string): Writing | undefined {
	return parseWith<Writing>(readJsonFile(journalFile(state)), {
		version: (version) => version === 1,
		kind: (kind) => kind === "apply" || kind === "undo",
		staging: (name) => isText(name) && /^\.deputize-[0-9a-f]{12}\.tmp$/.test(name),
		isCommitting: (value) => typeof value === "boolean",
		steps: Array.isArray,
		paths: Array.isArray,
		directories: isObject,
		startedAt: isAmount,
	});
}

/** Leaves nothing of a writing in the project but what was written. */
export function endWriting(state: string, project: string, { staging }: Writing): void {
	rmSync(join(project, staging), { recursive: true, force: true });
	rmSync(journalFile(state), { force: true });
}

function toChangesError(error: unknown, foreign: readonly string[]): Error {
	if (foreign.length > 0)
		return new ChangesError(
			`Changes were being written when something went wrong, and these files were changed meanwhile: ${foreign.join(", ")}. They were left as they are; everything else was taken back.`,
			{ cause: error },
		);
	if (error instanceof ChangesError) return error;
	const words = error instanceof Error ? error.message : String(error);
	return new ChangesError(
		`Nothing was changed in the project: ${words.replaceAll(/\/proc\/self\/fd\/\d+\//g, "")}`,
		{ cause: error },
	);
}

function listAbove(path: string): readonly string[] {
	const names = path.split("/");
	return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}

function planDirectories(project: string, steps: readonly Step[]): Directories {
	const above = (wanted: (step: Step) => boolean): readonly string[] => [
		...new Set(steps.filter(wanted).flatMap(({ path }) => listAbove(path))),
	];
	const isThere = (path: string): boolean => lookAt(project, path)?.isDirectory() === true;
	return {
		made: above(({ after }) => after !== undefined).filter((path) => !isThere(path)),
		emptied: above(({ after }) => after === undefined)
			.filter(isThere)
			.map((path) => [path, Number(lookAt(project, path)?.mode ?? 0o755n) & RIGHTS] as const),
	};
}

async function stage(store: Store, project: string, { staging, steps }: Writing): Promise<void> {
	const directory = join(project, staging);
	mkdirSync(directory, { mode: 0o700 });
	const files = steps.flatMap(({ after }, at) =>
		after === undefined ? [] : [[`new-${at}`, after] as const],
	);
	await placeFiles(store, directory, new Map(files));
	for (const [at, { path, before, after }] of steps.entries()) {
		if (after === undefined || after.mode === LINK) continue;
		const file = join(directory, `new-${at}`);
		const replaced = before === undefined ? undefined : lookAt(project, path);
		if (replaced !== undefined) keepOwner(file, path, replaced);
		chmodSync(file, after.rights);
	}
}

function keepOwner(file: string, path: string, { uid, gid }: BigIntStats): void {
	const me = process.getuid?.();
	if (me === undefined || Number(uid) === me) return;
	if (me !== 0)
		throw new ChangesError(
			`${toShown(path)} belongs to user ${uid}, and you are ${me}. Nothing was changed in the project.`,
		);
	chownSync(file, Number(uid), Number(gid));
}

/** Whatever is there, so that nobody's change between the plan and the move is lost. */
function stamp(entry: BigIntStats | undefined): string {
	if (entry === undefined || entry.isDirectory()) return "";
	return `${entry.ino} ${entry.size} ${entry.mtimeNs} ${entry.mode}`;
}

interface InDirectory {
	readonly project: string;
	readonly path: string;
	/** Rights of a directory that is made when it is missing. */
	readonly mode?: (path: string) => number;
}

/** Works on an entry of the project, in a directory that was opened without following a link. */
function inDirectory<Made>({ project, path, mode }: InDirectory, work: (entry: Buffer) => Made): Made {
	const names = path.split("/").map((name) => Buffer.from(name, "latin1"));
	const directory = openBelow(project, names.slice(0, -1), {
		...(mode === undefined
			? {}
			: {
					mode: (index: number) =>
						mode(
							path
								.split("/")
								.slice(0, index + 1)
								.join("/"),
						),
				}),
	});
	try {
		return work(directory.at(names.at(-1) ?? Buffer.alloc(0)));
	} finally {
		directory.close();
	}
}

/** Nothing is removed, only moved to the directory beside. */
async function commit(
	project: string,
	{ staging, steps, directories }: Writing,
	seen: ReadonlyMap<string, string>,
	earlier: Directories | undefined,
): Promise<void> {
	const at = (name: string): string => join(project, staging, name);
	const mode = (path: string): number =>
		new Map(earlier?.emptied ?? []).get(path) ?? 0o777 & ~process.umask();
	const check = (path: string): void => {
		if (stamp(lookAt(project, path)) !== seen.get(path))
			throw new ChangesError(
				`${toShown(path)} was changed in the project meanwhile. Nothing was changed. Try again.`,
			);
	};
	const numbered = steps.map((step, index) => ({ ...step, index }));
	for (const { path } of steps) check(path);
	for (const { path, after, index } of numbered) {
		if (index % PAUSE_EVERY === 0) await sleep(0);
		if (after !== undefined) continue;
		check(path);
		inDirectory({ project, path }, (entry) => renameSync(entry, at(`old-${index}`)));
	}
	// As Git does; when a writing is taken back, those that it made.
	const empty = earlier === undefined ? directories.emptied.map(([path]) => path) : earlier.made;
	for (const path of deepestFirst(empty)) removeIfEmpty(project, path);
	for (const { path, before, after, index } of numbered) {
		if (index % PAUSE_EVERY === 0) await sleep(0);
		if (after === undefined) continue;
		check(path);
		if (before === undefined) removeIfEmpty(project, path);
		inDirectory({ project, path, mode }, (entry) => {
			if (before === undefined) moveToNew(at(`new-${index}`), entry);
			else {
				keep(entry, at(`old-${index}`));
				renameSync(at(`new-${index}`), entry);
			}
		});
	}
}

function deepestFirst(paths: readonly string[]): readonly string[] {
	return [...paths].sort((left, right) => right.split("/").length - left.split("/").length);
}

/** A second name, which fails where there is something by now; without second names it was looked at right before. */
function moveToNew(from: string, to: Buffer): void {
	try {
		linkSync(from, to);
	} catch (error) {
		if (!NO_SECOND_NAME.includes(codeOf(error) ?? "")) throw error;
		renameSync(from, to);
		return;
	}
	unlinkSync(from);
}

const NO_SECOND_NAME = ["EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP"];

/** A second name, so that the file is never missing; where there can be none it is moved. */
function keep(entry: Buffer, old: string): void {
	try {
		linkSync(entry, old);
	} catch (error) {
		if (!NO_SECOND_NAME.includes(codeOf(error) ?? "")) throw error;
		renameSync(entry, old);
	}
}

function removeIfEmpty(project: string, path: string): void {
	if (lookAt(project, path)?.isDirectory() !== true) return;
	try {
		inDirectory({ project, path }, (entry) => rmdirSync(entry));
	} catch (error) {
		if (!["ENOTEMPTY", "EEXIST", "EACCES", "EPERM", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
	}
}

interface NumberedStep extends Step {
	readonly index: number;
	/** What is there now. */
	readonly here: TreeFile | undefined;
}

/**
 * Takes back what a writing has done, by its own notes and what is in its directory, however far it came. Names what somebody
 * has changed since, which stays as it is.
 */
export async function takeBack(store: Store, project: string, writing: Writing): Promise<readonly string[]> {
	const { staging, steps, directories, isCommitting } = writing;
	const beside = join(project, staging);
	const foreign: string[] = [];
	if (isCommitting && lookAt(project, staging) !== undefined) {
		const paths = steps.map(({ path }) => path);
		const now = await storePaths(store, project, paths);
		const numbered = steps.map((step, index) => ({ ...step, index, here: now.get(step.path) }));
		foreign.push(...removeNew(project, beside, numbered));
		for (const path of deepestFirst(directories.made)) removeIfEmpty(project, path);
		foreign.push(...returnOld(project, beside, numbered, directories));
	}
	rmSync(beside, { recursive: true, force: true });
	return foreign;
}

/** What was not there before. */
function removeNew(project: string, beside: string, steps: readonly NumberedStep[]): readonly string[] {
	return steps.flatMap(({ path, before, after, here, index }) => {
		if (before !== undefined || here === undefined) return [];
		const fresh = lookAt(beside, `new-${index}`);
		// Never moved; the same file under both names was, and kept its first name for a moment.
		if (fresh !== undefined && fresh.ino !== lookAt(project, path)?.ino) return [];
		if (!isSame(here, after)) return [toShown(path)];
		inDirectory({ project, path }, (entry) => unlinkSync(entry));
		return [];
	});
}

/** What was there before, the very files, and the directories that were empty without them. */
function returnOld(
	project: string,
	beside: string,
	steps: readonly NumberedStep[],
	{ emptied }: Directories,
): readonly string[] {
	const rights = new Map(emptied);
	const mode = (path: string): number => rights.get(path) ?? 0o755;
	const foreign = steps.flatMap(({ path, before, after, here, index }) => {
		if (before === undefined || lookAt(beside, `old-${index}`) === undefined) return [];
		if (here !== undefined && !isSame(here, after) && !isSame(here, before)) return [toShown(path)];
		inDirectory({ project, path, mode }, (entry) => renameSync(join(beside, `old-${index}`), entry));
		return [];
	});
	for (const [path] of emptied.filter(([path]) => lookAt(project, path) === undefined))
		inDirectory({ project, path: `${path}/x`, mode }, () => undefined);
	return foreign;
}

/** Whether everything that a writing wanted is in the project. */
export async function isWritten(
	store: Store,
	project: string,
	{ steps, isCommitting }: Writing,
): Promise<boolean> {
	if (!isCommitting) return false;
	const now = await storePaths(
		store,
		project,
		steps.map(({ path }) => path),
	);
	return steps.every(({ path, after }) => isSame(now.get(path), after));
}
