import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { canonicalPath, isInside, openOwnDirectory, readHome } from "@deputize/ground";
import { type FoundRepository, findRepository } from "../git/find-repository.ts";
import { createStore, openStore } from "../git/open-store.ts";
import { listObjectPlaces, readStoreSettings } from "../git/read-store-settings.ts";
import { borrowIndex, keepBase, snapshotFiles } from "../git/snapshot-files.ts";
import { type FileLock, takeFileLock } from "../process/take-file-lock.ts";
import type { LayerMount } from "../sandbox/policy.ts";
import { LAYER_DIRECTORIES } from "../sandbox/probe-layers.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import { type ChangeRecord, writeRecord } from "./change-record.ts";
import { changesDirectory, stateDirectory } from "./changes-directory.ts";
import { ChangesError } from "./changes-error.ts";
import { copyProject, listLeftOut } from "./copy-project.ts";
import type { Layer, LayerOptions } from "./layer.ts";
import { removeLayer } from "./remove-layer.ts";
import { storeDirectory, viewFiles } from "./view-files.ts";

const MAX_LEFT_OUT = 200;
const NOTHING = { count: 0, names: [] };

/** What stays in memory about a layer that is open, and must be given back. */
export interface OpenedLayer extends Layer {
	readonly lock: FileLock;
	readonly probe: SandboxProbe;
}

/**
 * A place where a child can write without changing the project: everything is there as it is now, uncommitted and ignored
 * files too. Rejects with a `ChangesError` or a `GitError` when there can be none.
 */
export async function openLayer(options: LayerOptions): Promise<OpenedLayer> {
	const { env, agentDirectory, signal } = options;
	const directory = canonicalPath(options.directory);
	const found = findRepository(directory);
	const project = found?.top ?? directory;
	checkProject(project, options);
	const probe = await probeSandbox(options);
	const choice = choosePlace(probe, options);
	const id = randomBytes(4).toString("hex");
	const state = makeState(agentDirectory, id);
	const lock = takeFileLock(join(state, "owner.lock"));
	if (lock === undefined) throw new ChangesError(`${state} belongs to somebody else already. Try again.`);
	const now = new Date().toISOString();
	const record: ChangeRecord = {
		...{ version: 1, id, state: "open", origin: options.origin, project, isolation: choice.isolation },
		...{
			createdAt: now,
			changedAt: now,
			base: "",
			borrowed: found === undefined ? [] : listObjectPlaces(found),
		},
		...{ isThrownAway: options.isThrownAway === true, isBeside: !probe.works, wasInterrupted: false },
		...{ entries: [], files: [], ignored: NOTHING, repositories: NOTHING, applied: [], isLayerGone: false },
	};
	try {
		writeRecord(state, record);
		const { base, mount } = await fillState({ record, state, found, probe, env, signal });
		writeRecord(state, { ...record, base });
		return {
			...{ id, project, isolation: choice.isolation, state, place: { env, agentDirectory }, lock, probe },
			mount: probe.works ? mount : undefined,
			directory: probe.works ? directory : join(state, "copy", relative(project, directory)),
			...(choice.notice === undefined ? {} : { notice: choice.notice }),
		};
	} catch (error) {
		// Nothing has been written in it yet.
		lock.release();
		removeLayer(state);
		throw error;
	}
}

function checkProject(project: string, { env, agentDirectory }: LayerOptions): void {
	const refuse = (why: string): never => {
		throw new ChangesError(`A child cannot write in a layer over ${project}: ${why}. Nothing was started.`);
	};
	if (isInside(project, canonicalPath(agentDirectory)))
		refuse(
			`${agentDirectory}, where layers are, is inside of it. Work in a directory below it that is a project`,
		);
	if (project === canonicalPath(readHome(env)))
		refuse("it is the home directory. Work in a project below it");
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

function makeState(agentDirectory: string, id: string): string {
	const around = openOwnDirectory(changesDirectory(agentDirectory));
	try {
		mkdirSync(around.at(id), { mode: 0o700 });
	} finally {
		around.close();
	}
	return canonicalPath(stateDirectory(agentDirectory, id));
}

interface FillOptions extends Pick<LayerOptions, "env" | "signal"> {
	readonly record: ChangeRecord;
	readonly state: string;
	readonly found: FoundRepository | undefined;
	readonly probe: SandboxProbe;
}

/** The store with the base in it, and the directories of the layer. */
async function fillState(
	options: FillOptions,
): Promise<{ readonly base: string; readonly mount: LayerMount }> {
	const { record, state, found, probe, env, signal } = options;
	const { project, isolation, borrowed } = record;
	createStore(storeDirectory(state), await readStoreSettings(found, env));
	const store = openStore({ directory: storeDirectory(state), env, borrowed });
	await borrowIndex(store, found?.gitDirectory);
	const place = { store: store.directory, probe };
	const { tree } = await snapshotFiles(store, viewFiles({ ...place, top: project, isExact: false }), {
		signal,
	});
	keepBase(store);
	const shared = { at: project, state, hidden: join(state, "..") };
	if (isolation === "layer") {
		for (const name of LAYER_DIRECTORIES) mkdirSync(join(state, name), { mode: 0o700 });
		// What is seen of the project's own directory is that of the upper one.
		chmodSync(join(state, "upper"), statSync(project).mode & 0o777);
		symlinkSync(project, join(state, "lower"));
		return { base: tree, mount: { ...shared, kind: "overlay" } };
	}
	const copy = join(state, "copy");
	await copyProject(store, project, copy);
	// What was changed while it was copied is part of the base.
	const exact = viewFiles({ ...place, top: copy, isExact: true });
	const { tree: base } = await snapshotFiles(store, exact, { signal });
	keepBase(store);
	const shown = probe.works ? await listLeftOut(store, project, MAX_LEFT_OUT) : [];
	return { base, mount: { ...shared, kind: "copy", shown } };
}
