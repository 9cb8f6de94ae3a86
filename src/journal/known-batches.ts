import { createHash } from "node:crypto";
import { join } from "node:path";
import { isObject, listIfThere, readJsonFile, removeOldest, writeAtomically } from "@deputize/ground";

const MAX_BATCHES = 200;

/** Where a batch writes, so that it can be found by somebody who does not know its output. */
export interface KnownBatch {
	readonly id: string;
	/** Absolute path of the output file. */
	readonly output: string;
	/** ISO 8601, of the last time it was started. */
	readonly time: string;
}

/** One file for each output, so that batches that start together do not overwrite each other's. */
function knownBatchesDirectory(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "batches");
}

/** Newest first. */
export function readKnownBatches(agentDirectory: string): readonly KnownBatch[] {
	const directory = knownBatchesDirectory(agentDirectory);
	const batches = listIfThere(directory)
		.map((name) => readJsonFile(join(directory, name)))
		.filter(isKnownBatch)
		.sort((left, right) => right.time.localeCompare(left.time));
	// An output that was moved has an older file with its former path.
	return batches.filter(({ id }, index) => batches.findIndex((other) => other.id === id) === index);
}

/** Never throws: a batch also runs where nothing can be written down. */
export function noteBatch(agentDirectory: string, batch: KnownBatch): void {
	const directory = knownBatchesDirectory(agentDirectory);
	const name = createHash("sha256").update(batch.output).digest("hex");
	try {
		writeAtomically(join(directory, `${name}.json`), `${JSON.stringify(batch)}\n`);
		removeOldest(directory, MAX_BATCHES);
	} catch {
		// Read-only or full disk.
	}
}

function isKnownBatch(value: unknown): value is KnownBatch {
	return isObject(value) && ["id", "output", "time"].every((name) => typeof value[name] === "string");
}
