import { sleep } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import type { BatchState, ControlWord } from "../batch-state.ts";
import { isOwnBatch } from "../is-own-batch.ts";
import { cancelBatch } from "./cancel-batch.ts";
import { type Directory, openDirectory, type WorkerEntry } from "./directory.ts";
import { openQueueBackend } from "./open-queue-backend.ts";
import type { TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { nameBatchQueue } from "./queue-names.ts";
import { type QueueState, readQueueState } from "./read-queue-state.ts";

/** Sends a command to every worker of a batch through its queue. */
export async function controlQueuedBatch(
	word: ControlWord,
	state: BatchState,
	address: string | undefined,
): Promise<void> {
	await withBatch(state, address, async (queue, directory) => {
		if (word === "pause") await queue.pause();
		else if (word === "resume") await queue.resume();
		else await cancelBatch(queue, directory, state.id, new Map());
	});
}

export interface QueuedStatus extends QueueState {
	readonly workers: readonly WorkerEntry[];
}

export function readQueuedStatus(state: BatchState, address: string | undefined): Promise<QueuedStatus> {
	return withBatch(state, address, async (queue, directory) => {
		const first = await directory.list();
		// Long enough for every worker to renew its entry.
		if (first.isUnsure) await sleep(3 * QUEUE_LIMITS.directoryPollMs);
		const { workers } = first.isUnsure ? await directory.list() : first;
		return { ...(await readQueueState(queue)), workers };
	});
}

async function withBatch<Value>(
	state: BatchState,
	address: string | undefined,
	action: (queue: TaskQueue, directory: Directory) => Promise<Value>,
): Promise<Value> {
	const backend = openQueueBackend(chooseAddress(state, address));
	await backend.waitUntilReachable({ maxWaitMs: QUEUE_LIMITS.maxControlWaitMs });
	const directory = await openDirectory(backend);
	const queue = await backend.openQueue(nameBatchQueue(state.id));
	try {
		return await action(queue, directory);
	} finally {
		await queue.close();
		await directory.close();
	}
}

/** The address is kept without its password, in a file that may be somebody else's. */
function chooseAddress(state: BatchState, address: string | undefined): string {
	if (address !== undefined) return address;
	const { queue = "" } = state;
	if (!isOwnBatch(state))
		throw new BatchError(
			`The file of this batch names the queue ${queue}, and you did not start it on this machine. If you trust it, give its address with --queue.`,
		);
	if (queue !== "" && !queue.includes(":***@")) return queue;
	throw new BatchError(
		`The queue of this batch (${queue}) needs a password. Give its address with --queue or in DEPUTIZE_QUEUE.`,
	);
}
