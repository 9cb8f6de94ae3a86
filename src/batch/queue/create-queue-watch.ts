import type { Directory, WorkerEntry } from "./directory.ts";
import type { QueuedBatch } from "./feed-queue.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { type QueueState, readQueueState } from "./read-queue-state.ts";

export interface WatchOptions {
	readonly directory: Directory;
	readonly batchId: string;
	readonly maxQuotaWaitMs: number;
}

/** Looks at the queue once a second, reports it, and says why nothing happens when nothing does. */
export function createQueueWatch(
	{ work, queue, persist }: QueuedBatch,
	{ directory, batchId, maxQuotaWaitMs }: WatchOptions,
): () => Promise<QueueState | undefined> {
	let lookedAt = 0;
	let refusedSince: number | undefined;
	let explained = "";
	const read = () => Promise.all([readQueueState(queue), directory.list()]);
	const noteQuota = (pauseMs: number): void => {
		refusedSince = pauseMs > 0 ? (refusedSince ?? Date.now()) : undefined;
		if (refusedSince !== undefined && Date.now() + pauseMs - refusedSince > maxQuotaWaitMs)
			work.stopEarly("quota");
	};
	const explain = (explanation: string): void => {
		if (explanation !== explained && explanation !== "") work.notice(explanation);
		explained = explanation;
	};
	return async () => {
		if (Date.now() - lookedAt < QUEUE_LIMITS.statusPollMs) return undefined;
		const seen = await persist(read);
		lookedAt = Date.now();
		if (seen === undefined) return undefined;
		const [state, { workers }] = seen;
		const { active, waiting, paused, quotaPauseMs } = state;
		const pausedUntil = quotaPauseMs > 0 ? Date.now() + quotaPauseMs : undefined;
		work.report({ running: active, workers: workers.length, held: paused, pausedUntil });
		noteQuota(quotaPauseMs);
		explain(waiting > 0 && active === 0 && !paused ? explainWaiting(workers, batchId) : "");
		return state;
	};
}

/** A batch that nobody works on must not look like one that is slow. */
function explainWaiting(workers: readonly WorkerEntry[], batchId: string): string {
	if (workers.length === 0) {
		return "No worker is connected. Start one with: deputize worker --queue … --workspace name=path --agents …";
	}
	const refusals = workers.flatMap(({ name, refused }) => {
		const reason = refused[batchId];
		return reason === undefined ? [] : [`${name}: ${reason}`];
	});
	return refusals.length < workers.length ? "" : `No worker takes this batch. ${refusals.join(" ")}`;
}
