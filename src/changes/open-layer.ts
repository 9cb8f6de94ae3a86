import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { canonicalPath, cutText, openOwnDirectory, toOneLine } from "@deputize/ground";
import { collectSecrets, sanitizeOutput } from "@deputize/redaction";
import type { ChangeOrigin } from "../contract/changes.ts";
import type { FoundRepository } from "../git/find-repository.ts";
import { createStore, openStore } from "../git/open-store.ts";
import { listObjectPlaces, readStoreSettings } from "../git/read-store-settings.ts";
import { borrowIndex, keepBase, snapshotFiles } from "../git/snapshot-files.ts";
import { type FileLock, takeFileLock } from "../process/take-file-lock.ts";
import type { LayerMount } from "../sandbox/policy.ts";
import { LAYER_DIRECTORIES } from "../sandbox/probe-layers.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import { type ChangeRecord, readRecord, writeRecord } from "./change-record.ts";
import { changesDirectory, stateDirectory } from "./changes-directory.ts";
import { ChangesError } from "./changes-error.ts";
import { copyProject, listLeftOut } from "./copy-project.ts";
import { readRecords } from "./find-changes.ts";
import { findLayerProject } from "./find-layer-project.ts";
import type { Layer, LayerOptions } from "./layer.ts";
import { removeLayer } from "./remove-layer.ts";
import { storeDirectory, viewFiles } from "./view-files.ts";

const MAX_LEFT_OUT = 200;
const MAX_TASK_CHARS = 200;
const NOTHING = { count: 0, names: [] };

/** What stays in memory about a layer that is open, and must be given back. */
export interface OpenedLayer extends Layer {
	readonly lock: FileLock;
	readonly probe: SandboxProbe;
}

/**
 * A place where a child can write without changing the project: everything is there as it is now, uncommitted and ignored
 * files too. The layer of its session, where one is left. Rejects with a `ChangesError` or a `GitError` when there can be none.
 */
export async function openLayer(options: LayerOptions): Promise<OpenedLayer> {
	const { env, agentDirectory, signal } = options;
	const { directory, found, project, problem } = findLayerProject(options.directory, options);
	if (problem !== undefined)
		throw new ChangesError(
			`A child cannot write in a layer over ${project}: ${problem}. Nothing was started.`,
		);
	const probe = await probeSandbox(options);
	const { isolation, notice } = choosePlace(probe, options);
	const { state, lock, record } =
		takeEarlier(options, project, isolation) ?? makeState(options, { found, project, isolation });
	try {
		const store = openStore({ directory: storeDirectory(state), env, borrowed: record.borrowed });
		if (record.base === "") await fillState({ record, state, found, probe, env, signal });
		const shared = { at: project, state, hidden: join(state, "..") };
		const mount: LayerMount =
			isolation === "layer"
				? { ...shared, kind: "overlay" }
				: { ...shared, kind: "copy", shown: await listLeftOut(store, project, MAX_LEFT_OUT) };
		return {
			...{ id: record.id, project, isolation, state, place: { env, agentDirectory }, lock, probe },
			mount: probe.works ? mount : undefined,
			directory: probe.works ? directory : join(state, "copy", relative(project, directory)),
			...(notice === undefined ? {} : { notice }),
		};
	} catch (error) {
		lock.release();
		// Nothing has been written in it yet.
		if (record.base === "") removeLayer(state);
		throw error;
	}
}

interface OwnState {
	readonly state: string;
	readonly lock: FileLock;
	readonly record: ChangeRecord;
}

/** What an earlier run of the session left, which nobody works in now. */
function takeEarlier(
	options: LayerOptions,
	project: string,
	isolation: Layer["isolation"],
): OwnState | undefined {
	const { sessionId } = options.origin;
	if (sessionId === undefined) return undefined;
	const isEarlier = (record: ChangeRecord): boolean =>
		record.origin.sessionId === sessionId &&
		record.project === project &&
		record.isolation === isolation &&
		record.state !== "open" &&
		!record.isLayerGone;
	const found = readRecords(options).find(({ record }) => isEarlier(record));
	const lock = found === undefined ? undefined : takeFileLock(join(found.state, "owner.lock"));
	if (found === undefined || lock === undefined) return undefined;
	const state = canonicalPath(found.state);
	const before = readRecord(state);
	if (before === undefined || !isEarlier(before)) {
		lock.release();
		return undefined;
	}
	const record: ChangeRecord = { ...before, state: "open", origin: toKeptOrigin(options) };
	writeRecord(state, record);
	return { state, lock, record };
}

export function makeState(
	options: LayerOptions,
	{
		found,
		project,
		isolation,
		id = randomBytes(4).toString("hex"),
	}: {
		found: FoundRepository | undefined;
		project: string;
		isolation: Layer["isolation"];
		id?: string;
	},
): OwnState {
	const around = openOwnDirectory(changesDirectory(options.agentDirectory));
	try {
		mkdirSync(around.at(id), { mode: 0o700 });
	} finally {
		around.close();
	}
	const state = canonicalPath(stateDirectory(options.agentDirectory, id));
	const lock = takeFileLock(join(state, "owner.lock"));
	if (lock === undefined) throw new ChangesError(`${state} belongs to somebody else already. Try again.`);
	const now = new Date().toISOString();
	const borrowed = found === undefined ? [] : listObjectPlaces(found);
	const record: ChangeRecord = {
		...{ version: 1, id, state: "open", origin: toKeptOrigin(options), project, isolation },
		...{ createdAt: now, changedAt: now, base: "", borrowed, wasInterrupted: false },
		...{ isThrownAway: options.isThrownAway === true, isLayerGone: false },
		...(options.isHandedOver === true ? { isHandedOver: true } : {}),
		...{ entries: [], files: [], ignored: NOTHING, repositories: NOTHING, applied: [] },
	};
	writeRecord(state, record);
	return { state, lock, record };
}

function choosePlace(
	probe: SandboxProbe,
	{ isolation = "layer" }: LayerOptions,
): { readonly isolation: "layer" | "copy"; readonly notice?: string } {
	if (!probe.works)
		return {
			isolation: "copy",
			notice: `It works in a copy beside the project, and nothing keeps it there: ${probe.reason}`,
		};
	if (isolation === "copy") return { isolation };
	const { how, reason } = probe.sandbox.layers;
	if (how !== "none") return { isolation };
	return {
		isolation: "copy",
		notice: `It works in a private copy, because no layer can be mounted here: ${reason}`,
	};
}

/** A task can quote anything. */
function toKeptOrigin({ origin, env }: LayerOptions): ChangeOrigin {
	const task = sanitizeOutput(origin.task, { secrets: collectSecrets(env) });
	return { ...origin, task: cutText(toOneLine(task), MAX_TASK_CHARS) };
}

interface FillOptions extends Pick<LayerOptions, "env" | "signal"> {
	readonly record: ChangeRecord;
	readonly state: string;
	readonly found: FoundRepository | undefined;
	readonly probe: SandboxProbe;
}

/** The store with the base in it, and the directories of the layer. */
async function fillState(options: FillOptions): Promise<void> {
	const { record, state, found, probe, env, signal } = options;
	const { project, isolation, borrowed } = record;
	if (isolation === "layer") {
		for (const name of LAYER_DIRECTORIES) mkdirSync(join(state, name), { mode: 0o700 });
		// What is seen of the project's own directory is that of the upper one.
		chmodSync(join(state, "upper"), statSync(project).mode & 0o777);
		symlinkSync(project, join(state, "lower"));
		// Nothing will be compared.
		if (record.isThrownAway) return;
	}
	createStore(storeDirectory(state), await readStoreSettings(found, env));
	const store = openStore({ directory: storeDirectory(state), env, borrowed });
	await borrowIndex(store, found?.gitDirectory);
	const place = { store: store.directory, probe };
	const ofProject = viewFiles({ ...place, top: project, isExact: false });
	let snapshot = await snapshotFiles(store, ofProject, { signal });
	if (isolation === "copy") {
		const copy = join(state, "copy");
		await copyProject(store, project, copy);
		// What was changed while it was copied is part of the base.
		const ofCopy = viewFiles({ ...place, top: copy, isExact: true });
		snapshot = await snapshotFiles(store, ofCopy, { signal });
	}
	const base = await snapshot.writeTree();
	keepBase(store);
	// From here on a child can be started in it.
	writeRecord(state, { ...record, base });
}
