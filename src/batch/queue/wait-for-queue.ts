import { onAbort, sleep } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import type { probeQueue } from "./probe-queue.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

export interface WaitForQueueOptions {
	/** Aborted: nobody waits any more. */
	readonly signal?: AbortSignal | undefined;
	readonly notice?: ((line: string) => void) | undefined;
	/** How long a server may be away. */
	readonly maxWaitMs?: number;
}

/**
 * Resolves when the server answers: true, or false when the wait was aborted. One that refuses us for a reason that time
 * does not change is an error at once; BullMQ itself would try for ever, and say nothing.
 */
export async function waitForQueue(
	probe: (signal?: AbortSignal) => ReturnType<typeof probeQueue>,
	name: string,
	{ signal, notice, maxWaitMs = QUEUE_LIMITS.maxUnreachableMs }: WaitForQueueOptions,
): Promise<boolean> {
	const until = Date.now() + maxWaitMs;
	const left = new Promise<"left">((resolve) => onAbort(signal, () => resolve("left")));
	for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
		// One attempt to connect can take seconds.
		const trouble = await Promise.race([probe(signal), left]);
		if (trouble === "left") return false;
		if (trouble === undefined) return true;
		const { reason, remedy } = trouble;
		if (remedy !== undefined) throw new BatchError(`The queue ${name} refuses us (${reason}). ${remedy}`);
		if (Date.now() + QUEUE_LIMITS.retryDelayMs > until)
			throw new BatchError(
				`The queue ${name} does not answer (${reason}). Start it, or correct its address; then run the same command again.`,
			);
		if (isFirst) notice?.(`The queue ${name} does not answer (${reason}). Trying again…`);
		await sleep(QUEUE_LIMITS.retryDelayMs, signal);
	}
	return false;
}
