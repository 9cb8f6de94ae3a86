import { readSurroundings } from "../config/read-surroundings.ts";
import { readKnownBatches } from "../journal/known-batches.ts";
import type { BatchState } from "./batch-state.ts";

/**
 * Whether this user started the batch on this machine. Its files are in a project, where somebody else may have put them:
 * answers that nobody gave, the address of a stranger's queue.
 */
export function isOwnBatch(
	state: BatchState | undefined,
	env?: Parameters<typeof readSurroundings>[0],
): boolean {
	if (state === undefined) return false;
	const { agentDirectory } = readSurroundings(env);
	return readKnownBatches(agentDirectory).some(({ id }) => id === state.id);
}
