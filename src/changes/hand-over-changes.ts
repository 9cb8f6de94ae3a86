import { formatMebibytes } from "@deputize/ground";
import type { ChangeSet } from "../contract/changes.ts";
import { GitError } from "../git/git-error.ts";
import { type ChangeRecord, readRecord, writeRecord } from "./change-record.ts";
import { ChangesError } from "./changes-error.ts";
import { collectState } from "./collect-changes.ts";
import type { OpenedLayer } from "./open-layer.ts";
import { readPatch } from "./read-patch.ts";
import { removeLayer } from "./remove-layer.ts";

interface HandedOver {
	readonly changes: ChangeSet;
	/** Exact, as `git apply` takes it. */
	readonly patch: Buffer;
}

interface HandOverOptions {
	readonly maxBytes: number;
	/** What cannot be handed over becomes a change like every other one; otherwise it is removed as well. */
	readonly keepsRest: boolean;
}

/**
 * What a child changed, for one who takes it elsewhere: nothing of it is kept here, files that Git ignores neither. Undefined
 * when nothing was changed.
 */
export async function handOverChanges(
	layer: OpenedLayer,
	options: HandOverOptions,
): Promise<HandedOver | undefined> {
	const { state } = layer;
	let handedOver: HandedOver | undefined;
	try {
		const record = readRecord(state);
		if (record === undefined) throw new ChangesError(`${state} has no record any more. Look at its files.`);
		handedOver = await collectPatch(layer, record, options);
	} catch (error) {
		const record = readRecord(state);
		if (!options.keepsRest) removeLayer(state);
		else if (record !== undefined) writeRecord(state, { ...record, isHandedOver: false });
		throw error;
	} finally {
		layer.lock.release();
	}
	if (handedOver !== undefined) removeIfPossible(state);
	return handedOver;
}

/** What cannot be removed now is swept at a later start; the patch is not lost for it. */
function removeIfPossible(state: string): void {
	try {
		removeLayer(state);
	} catch {
		// It has no use here, and nobody waits for it.
	}
}

async function collectPatch(
	layer: OpenedLayer,
	record: ChangeRecord,
	{ maxBytes, keepsRest }: HandOverOptions,
): Promise<HandedOver | undefined> {
	const changes = await collectState({ ...layer, record, wasInterrupted: false });
	if (changes === undefined) return undefined;
	try {
		return { changes, patch: await readPatch(layer.place, changes.id, maxBytes) };
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		const rest = keepsRest
			? `It is kept: deputize changes show ${changes.id}`
			: "Nothing of it is kept on that machine.";
		throw new ChangesError(
			`Its patch could not be handed over; it may have ${formatMebibytes(maxBytes)} at most. ${rest} (${error.message})`,
		);
	}
}
