import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ChangeSet, ChangesPlace, NamedPaths } from "../contract/changes.ts";
import { compareTrees, type TreeDifference } from "../git/compare-trees.ts";
import { keepTrees } from "../git/keep-trees.ts";
import { lookAt, toBytePath } from "../git/look-at.ts";
import { openStore, type Store } from "../git/open-store.ts";
import {
	listBasePaths,
	listPaths,
	returnToBase,
	type Snapshot,
	snapshotFiles,
} from "../git/snapshot-files.ts";
import { storeAsItIs } from "../git/store-as-it-is.ts";
import type { LayerMount } from "../sandbox/policy.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import { type ChangeRecord, readRecord, writeRecord } from "./change-record.ts";
import { ChangesError } from "./changes-error.ts";
import { listAbove } from "./list-above.ts";
import { listChangedFiles } from "./list-changed-files.ts";
import { listTouched, MAX_ENTRIES, type Touched } from "./list-touched.ts";
import type { OpenedLayer } from "./open-layer.ts";
import { createOwnRepositoryTest } from "./own-repository.ts";
import { isSameEntry } from "./plan-apply.ts";
import { removeLayer } from "./remove-layer.ts";
import { toChangeSet } from "./to-change-set.ts";
import { toShown } from "./to-shown.ts";
import { storeDirectory, viewFiles } from "./view-files.ts";

/** So many names are told; all of them are counted. */
const MAX_NAMES = 50;
const SUBMODULE = "160000";
/** What reading a repository leaves in it, and objects that nothing refers to. */
const UNTOLD = /^\.git(?:\/(?:index|objects)\b.*)?$/;

/**
 * What a child changed, at every ending: stored in full before anything is told. Undefined when it changed nothing; then the
 * layer is gone. When it fails, everything stays where it is and is found by `recoverChanges`.
 */
export async function collectChanges(layer: OpenedLayer): Promise<ChangeSet | undefined> {
	try {
		const record = readRecord(layer.state);
		if (record === undefined)
			throw new ChangesError(`${layer.state} has no record any more. Look at its files.`);
		return await collectState({ ...layer, record, wasInterrupted: record.wasInterrupted });
	} finally {
		layer.lock.release();
	}
}

interface CollectOptions {
	readonly record: ChangeRecord;
	readonly state: string;
	readonly place: ChangesPlace;
	readonly probe: SandboxProbe;
	readonly mount?: LayerMount | undefined;
	readonly wasInterrupted: boolean;
}

/** Whoever calls this has the lock of the layer. */
export async function collectState(options: CollectOptions): Promise<ChangeSet | undefined> {
	const { record, state, place, wasInterrupted } = options;
	// It ended before there was anything that a child could have been started in.
	if (record.base === "" || record.isThrownAway) {
		removeLayer(state);
		return undefined;
	}
	const store = openStore({ directory: storeDirectory(state), env: place.env, borrowed: record.borrowed });
	const isLayer = record.isolation === "layer";
	const written = await listTouched(join(state, isLayer ? "upper" : "copy"));
	if (written.isCut)
		throw new ChangesError(
			`The child of ${record.id} made ${MAX_ENTRIES} files and directories. They are in ${state}; remove them with: deputize changes drop ${record.id}`,
		);
	// A pipe that is called .gitignore would keep Git waiting.
	for (const path of written.special)
		rmSync(toBytePath(join(state, isLayer ? "upper" : "copy"), path), { force: true });
	const touched = isLayer ? written : undefined;
	if (touched?.paths.size === 0 && record.applied.length === 0) {
		removeLayer(state);
		return undefined;
	}
	returnToBase(store);
	const snapshot = await snapshotFiles(
		store,
		viewLayer(options),
		touched === undefined ? {} : { touched: touched.paths },
	);
	const isOwn = createOwnRepositoryTest(record.project);
	const differences = (await compareTrees(store, record.base, snapshot.tree)).filter(
		({ path }) => !isOwn(path),
	);
	const mine =
		touched === undefined ? differences : differences.filter((entry) => isOfChild(entry, touched, record));
	const isModule = ({ before, after }: TreeDifference): boolean =>
		[before?.mode, after?.mode].includes(SUBMODULE);
	const found = await storeAsItIs(
		store,
		mine.filter((entry) => !isModule(entry)),
		record.project,
	);
	const { entries, applied } = continueFrom(record, found);
	const others = await nameOthers({ store, snapshot, touched, state, record, entries });
	const repositories = nameFirst([...mine.filter(isModule).map(({ path }) => path), ...others.repositories]);
	const ignored = nameFirst([...others.ignored, ...snapshot.unreadable]);
	if (entries.length + ignored.count + repositories.count === 0) {
		removeLayer(state);
		return undefined;
	}
	const trees = await keepTrees(store, entries);
	const files = await listChangedFiles(store, trees);
	const collected: ChangeRecord = {
		...record,
		...{ applied, state: entries.length > 0 && applied.length === entries.length ? "applied" : "pending" },
		...{ changedAt: new Date().toISOString(), wasInterrupted },
		...{ entries, trees, files, ignored, repositories },
	};
	writeRecord(state, collected);
	return toChangeSet(state, collected);
}

/**
 * A session goes on in its layer after some of it was applied: what is in the project already is where its further changes
 * begin.
 */
function continueFrom(
	record: ChangeRecord,
	found: readonly TreeDifference[],
): { readonly entries: readonly TreeDifference[]; readonly applied: readonly string[] } {
	const entries = new Map(found.map((entry) => [entry.path, entry]));
	const earlier = new Map(record.entries.map((entry) => [entry.path, entry]));
	const applied: string[] = [];
	for (const path of record.applied) {
		const before = earlier.get(path);
		if (before === undefined) continue;
		const now = entries.has(path) ? entries.get(path)?.after : before.before;
		if (isSameEntry(now, before.after)) applied.push(path);
		const from = isSameEntry(now, before.after) ? before.before : before.after;
		entries.set(path, {
			path,
			...(from === undefined ? {} : { before: from }),
			...(now === undefined ? {} : { after: now }),
		});
	}
	return { entries: [...entries.values()].sort((left, right) => (left.path < right.path ? -1 : 1)), applied };
}

function viewLayer({ record, state, probe, mount }: CollectOptions) {
	const isLayer = record.isolation === "layer";
	if (isLayer && (!probe.works || probe.sandbox.layers.how === "none"))
		throw new ChangesError(
			`The layer of ${record.id} cannot be mounted any more: ${probe.works ? probe.sandbox.layers.reason : probe.reason} What was written is in ${join(state, "upper")}.`,
		);
	const at = { at: record.project, state, hidden: join(state, ".."), kind: "overlay" } as const;
	return viewFiles({
		...{ store: storeDirectory(state), probe, isForeign: true, isExact: !isLayer },
		...(isLayer ? { top: record.project, layer: mount ?? at } : { top: join(state, "copy") }),
	});
}

/** The user works on below a layer, and what they change is seen through it. */
function isOfChild(
	{ path, after }: TreeDifference,
	{ paths, gone }: Touched,
	{ project }: ChangeRecord,
): boolean {
	if (paths.has(path) || listAbove(path).some((above) => gone.has(above) || paths.has(above))) return true;
	// In a directory that was removed and made again, what is missing has no entry of its own.
	return after === undefined && lookAt(project, path)?.isDirectory() === false;
}

/** What changed and is no part of the changes. */
async function nameOthers(options: {
	readonly store: Store;
	readonly snapshot: Snapshot;
	readonly touched: Touched | undefined;
	readonly state: string;
	readonly record: ChangeRecord;
	readonly entries: readonly TreeDifference[];
}): Promise<{ readonly ignored: readonly string[]; readonly repositories: readonly string[] }> {
	const { store, snapshot, touched, state, record, entries } = options;
	if (touched === undefined)
		return { ignored: await nameIgnoredInCopy(store, state, record), repositories: snapshot.repositories };
	const told = new Set(entries.map(({ path }) => path));
	// Its own repository is not kept: what it committed is in its files. Git notes there what it read, which is no change.
	const isOwn = createOwnRepositoryTest(record.project);
	const own = [...touched.paths].some(
		(path) => isOwn(path) && !UNTOLD.test(path) && isChanged(path, state, record),
	)
		? [".git/"]
		: [];
	const left = [...touched.paths].filter((path) => !told.has(path) && !isOwn(path));
	if (left.length === 0) return { ignored: [], repositories: own };
	const known = new Set([...(await listPaths(store)), ...(await listBasePaths(store))]);
	const directories = new Set([...known].flatMap(listAbove));
	const modules = await listModules(store);
	const inside = [...modules.map((path) => `${path}/`), ...snapshot.repositories];
	const repositories = new Set(own);
	const ignored: string[] = [];
	for (const path of left) {
		const around = inside.find((repository) => path.startsWith(repository));
		const nested = /^(.*?)\/\.git(?:\/|$)/.exec(path)?.[1];
		if (around !== undefined) repositories.add(around);
		else if (nested !== undefined) repositories.add(`${nested}/`);
		else if (!known.has(path) && !directories.has(path) && isChanged(path, state, record)) ignored.push(path);
	}
	return { ignored, repositories: [...repositories] };
}

/** A copy begins without any, but for the empty files over which those of the project are shown. */
async function nameIgnoredInCopy(
	store: Store,
	state: string,
	{ project }: ChangeRecord,
): Promise<readonly string[]> {
	const copy = join(state, "copy");
	const listed = await store.git(["ls-files", "-z", "--others", "--ignored", "--exclude-standard"], {
		view: { top: copy, isExact: true, isForeign: true },
	});
	const isShown = (path: string): boolean =>
		lookAt(copy, path)?.size === 0n && lookAt(project, path)?.isFile() === true;
	return listed
		.toString("latin1")
		.split("\0")
		.slice(0, -1)
		.filter((path) => !isShown(path));
}

async function listModules(store: Store): Promise<readonly string[]> {
	const listed = (await store.git(["ls-files", "-z", "--stage"], { index: "index.base" })).toString("latin1");
	return listed
		.split("\0")
		.filter((line) => line.startsWith(SUBMODULE))
		.map((line) => line.slice(line.indexOf("\t") + 1));
}

/** A program that opens a file to write and does not write has it copied all the same. */
function isChanged(path: string, state: string, { project }: ChangeRecord): boolean {
	const now = lookAt(join(state, "upper"), path);
	const before = lookAt(project, path);
	return !(now?.isFile() && before?.isFile() && now.size === before.size && now.mtimeNs === before.mtimeNs);
}

function nameFirst(raw: readonly string[]): NamedPaths {
	return { count: raw.length, names: [...raw].sort().slice(0, MAX_NAMES).map(toShown) };
}
