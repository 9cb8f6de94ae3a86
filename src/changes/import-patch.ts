import { createHash } from "node:crypto";
import { messageOf } from "@deputize/ground";
import type { ChangeOrigin, ChangesPlace } from "../contract/changes.ts";
import type { FoundRepository } from "../git/find-repository.ts";
import { GitError } from "../git/git-error.ts";
import { createStore, openStore } from "../git/open-store.ts";
import { readPatchEntries } from "../git/read-patch-entries.ts";
import { readStoreSettings } from "../git/read-store-settings.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { type ChangeRecord, readRecord, writeRecord } from "./change-record.ts";
import { stateDirectory } from "./changes-directory.ts";
import { ChangesError } from "./changes-error.ts";
import { findLayerProject } from "./find-layer-project.ts";
import { listChangedFiles } from "./list-changed-files.ts";
import { makeState } from "./open-layer.ts";
import { removeLayer } from "./remove-layer.ts";
import { storeDirectory, viewFiles } from "./view-files.ts";
import { withProjectLock } from "./with-project-lock.ts";

interface ImportOptions extends ChangesPlace {
	/** In the project that the patch is for. */
	readonly directory: string;
	readonly patch: Buffer;
	readonly origin: Pick<ChangeOrigin, "agent" | "task">;
}

const ID_CHARS = 8;

/**
 * Makes a patch that was handed over a change of a project here, and returns its id. The same patch is the same change,
 * however often it is imported. Rejects with a `ChangesError` when it cannot be used in this project.
 */
export async function importPatch(options: ImportOptions): Promise<string> {
	const { agentDirectory } = options;
	const { directory, found, project, id, runId } = identifyPatch(options);
	const isThere = (): boolean => {
		const record = readRecord(stateDirectory(agentDirectory, id));
		return record !== undefined && record.state !== "open";
	};
	if (isThere()) return id;
	await withProjectLock({ agentDirectory, project }, async () => {
		if (isThere()) return;
		// Left by one who was killed in the middle.
		removeLayer(stateDirectory(agentDirectory, id));
		const own = { ...options, directory, origin: { ...options.origin, runId } };
		await fill(own, makeState(own, { found, project, isolation: "layer", id }), found);
	});
	return id;
}

/** What `importPatch` made of it earlier; undefined when it never did, or somebody has dropped that. */
export function findImported(options: Omit<ImportOptions, "origin">): ChangeRecord | undefined {
	return readRecord(stateDirectory(options.agentDirectory, identifyPatch(options).id));
}

function identifyPatch(options: Omit<ImportOptions, "origin">) {
	const { problem, ...place } = findLayerProject(options.directory, options);
	if (problem !== undefined)
		throw new ChangesError(`A patch cannot be a change of ${place.project}: ${problem}.`);
	const digest = createHash("sha256").update(place.project).update("\0").update(options.patch).digest("hex");
	const runId = `patch-${digest}`;
	return { ...place, runId, id: chooseId(digest, runId, options) };
}

/** Eight digits of many; others of them where somebody else has these. */
function chooseId(digest: string, runId: string, { agentDirectory }: ChangesPlace): string {
	for (let at = 0; at + ID_CHARS <= digest.length; at += ID_CHARS) {
		const id = digest.slice(at, at + ID_CHARS);
		const record = readRecord(stateDirectory(agentDirectory, id));
		if (record === undefined || record.origin.runId === runId) return id;
	}
	throw new ChangesError("There is no id left for this patch. Drop some changes: deputize changes");
}

async function fill(
	{ patch, env, agentDirectory }: ImportOptions,
	{ state, lock, record }: ReturnType<typeof makeState>,
	found: FoundRepository | undefined,
): Promise<void> {
	const { project, borrowed } = record;
	try {
		const probe = await probeSandbox({ env, agentDirectory });
		createStore(storeDirectory(state), await readStoreSettings(found, env));
		const store = openStore({ directory: storeDirectory(state), env, borrowed });
		const { apart } = viewFiles({ top: project, store: store.directory, probe, isExact: false });
		const { entries, trees, lines } = await readPatchEntries(store, patch, { project, apart });
		if (entries.length === 0) throw new ChangesError("The patch changes nothing.");
		const files = listChangedFiles(lines);
		writeRecord(state, {
			...record,
			...{ state: "pending", base: trees.before, borrowed: [], entries, trees, files, isLayerGone: true },
		});
	} catch (error) {
		removeLayer(state);
		throw error instanceof GitError ? explainUnusable(error) : error;
	} finally {
		lock.release();
	}
}

/** Git's words for a content that it does not find, and for a name. */
const UNKNOWN = /invalid object \d+ \w+ for '(.*)'|mode change for (.*), which is not in current HEAD/;

function explainUnusable(error: GitError): ChangesError {
	const [, content, name] = UNKNOWN.exec(error.message) ?? [];
	const path = content ?? name;
	return new ChangesError(
		path === undefined
			? `The patch cannot be used here: ${messageOf(error)}`
			: `What ${path} was when the patch was made is neither in the project nor in its repository.`,
		{ cause: error },
	);
}
