import type { Claim } from "./create-claim.ts";
import { describeClock } from "./describe-clock.ts";
import type { Directory, WorkerEntry } from "./directory.ts";
import type { QueuedBatch } from "./feed-queue.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { type QueueState, readQueueState } from "./read-queue-state.ts";

export interface WatchOptions {
	readonly directory: Directory;
	readonly batchId: string;
	readonly claim: Claim;
	readonly maxQuotaWaitMs: number;
}

interface QueueSight extends QueueState {
	readonly claimed: Awaited<ReturnType<Claim["renew"]>>;
}

/** Looks at the queue once a second, reports it, and says why nothing happens when nothing does. */
export function createQueueWatch(
	{ work, queue, persist }: QueuedBatch,
	{ directory, batchId, claim, maxQuotaWaitMs }: WatchOptions,
): () => Promise<QueueSight | undefined> {
	let lookedAt = 0;
	let refusedSince: number | undefined;
	let idleSince: number | undefined;
	let explained = "";
	const saidClocks = new Set<string>();
	const read = async () => {
		const [state, listed] = await Promise.all([readQueueState(queue), directory.list()]);
		const claimed = await claim.renew(listed.batches.find(({ id }) => id === batchId));
		return { state, listed, claimed };
	};
	const noteQuota = (pauseMs: number): void => {
		refusedSince = pauseMs > 0 ? (refusedSince ?? Date.now()) : undefined;
		if (refusedSince !== undefined && Date.now() + pauseMs - refusedSince > maxQuotaWaitMs)
			work.stopEarly("quota");
	};
	const explain = (explanation: string): void => {
		if (explanation !== explained && explanation !== "") work.notice(explanation);
		explained = explanation;
	};
	const sayClocks = (workers: readonly WorkerEntry[]): void => {
		for (const worker of workers.filter(({ id }) => !saidClocks.has(id))) {
			const difference = describeClock(worker);
			if (difference === "") continue;
			saidClocks.add(worker.id);
			work.notice(`Worker ${worker.name}: ${difference}`);
		}
	};
	return async () => {
		if (Date.now() - lookedAt < QUEUE_LIMITS.statusPollMs) return undefined;
		const seen = await persist(read);
		lookedAt = Date.now();
		if (seen === undefined) return undefined;
		const { state, claimed } = seen;
		const { workers, isUnsure } = seen.listed;
		const { active, waiting, paused, quotaPauseMs } = state;
		const pausedUntil = quotaPauseMs > 0 ? Date.now() + quotaPauseMs : undefined;
		work.report({ running: active, workers: workers.length, held: paused, pausedUntil });
		noteQuota(quotaPauseMs);
		sayClocks(workers);
		const isIdle = waiting > 0 && active === 0 && !paused && quotaPauseMs === 0;
		idleSince = isIdle ? (idleSince ?? Date.now()) : undefined;
		const idleMs = Date.now() - (idleSince ?? Date.now());
		explain(isIdle && !isUnsure ? explainWaiting(workers, batchId, idleMs) : "");
		return { ...state, claimed };
	};
}

/** A batch that nobody works on must not look like one that is slow. */
function explainWaiting(workers: readonly WorkerEntry[], batchId: string, idleMs: number): string {
	if (workers.length === 0) {
		return "No worker is connected. Start one with: deputize worker --queue … --workspace name=path --agents …";
	}
	const refusals = workers.flatMap(({ name, refused }) => {
		const reason = refused[batchId];
		return reason === undefined ? [] : [`${name}: ${reason}`];
	});
	if (refusals.length === workers.length) return `No worker takes this batch. ${refusals.join(" ")}`;
	if (idleMs < QUEUE_LIMITS.idleNoticeMs) return "";
	return "Workers are connected, but none has taken a task for a while. They may be busy with other batches: deputize batch status … shows it. If not, stop this command with Ctrl-C and run it again.";
}
