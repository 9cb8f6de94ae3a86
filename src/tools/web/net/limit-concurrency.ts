import { createSlots, type TakeSlotOptions } from "@deputize/ground";
import type { WebConfig } from "../../../contract/config.ts";
import { WebError } from "../web-error.ts";

export interface ConcurrencyLimit {
	/** Waits for a slot, runs the work, and frees the slot. Refuses with QUEUE_FULL instead of waiting forever. */
	run<Value>(work: () => Promise<Value>, options: RunOptions): Promise<Value>;
}

type RunOptions = TakeSlotOptions & { readonly signal: AbortSignal };

export function createConcurrencyLimit(limits: WebConfig["concurrency"]): ConcurrencyLimit {
	const slots = createSlots(limits.maxConcurrent);
	return {
		async run(work, { signal, onWait }) {
			const isFull = slots.running() >= Math.max(1, limits.maxConcurrent);
			if (isFull && !signal.aborted && slots.waiting() >= limits.maxQueueSize)
				throw new WebError(
					"QUEUE_FULL",
					`${slots.running()} web requests are running and ${slots.waiting()} are waiting, which is the limit. Try again when some are done, or raise web.concurrency.`,
				);
			const leave = await slots.take({ signal, onWait });
			if (!leave) throw new WebError("ABORTED", "The call was cancelled before it got a free connection.");
			try {
				return await work();
			} finally {
				leave();
			}
		},
	};
}
