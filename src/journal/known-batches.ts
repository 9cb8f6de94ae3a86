import { join } from "node:path";
import { isObject, readJsonFile, writeAtomically } from "@deputize/ground";

const MAX_BATCHES = 200;

/** Where a batch writes, so that it can be found by somebody who does not know its output. */
export interface KnownBatch {
	readonly id: string;
	/** Absolute path of the output file. */
	readonly output: string;
	/** ISO 8601, of the last time it was started. */
	readonly time: string;
}

function knownBatchesFile(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "batches.json");
}

/** Newest first. */
export function readKnownBatches(agentDirectory: string): readonly KnownBatch[] {
	const parsed = readJsonFile(knownBatchesFile(agentDirectory));
	return Array.isArray(parsed) ? parsed.filter(isKnownBatch) : [];
}

/** Never throws: a batch also runs where nothing can be written down. */
export function noteBatch(agentDirectory: string, batch: KnownBatch): void {
	try {
		const others = readKnownBatches(agentDirectory).filter(
			({ id, output }) => id !== batch.id && output !== batch.output,
		);
		writeAtomically(
			knownBatchesFile(agentDirectory),
			`${JSON.stringify([batch, ...others].slice(0, MAX_BATCHES))}\n`,
		);
	} catch {
		// Read-only or full disk.
	}
}

function isKnownBatch(value: unknown): value is KnownBatch {
	return isObject(value) && ["id", "output", "time"].every((name) => typeof value[name] === "string");
}
