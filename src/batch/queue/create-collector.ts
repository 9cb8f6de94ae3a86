import type { BatchTask, TaskResult } from "../batch-record.ts";
import { addTasks, type QueuedBatch } from "./feed-queue.ts";
import { parseQueuedResult, readSpent, toFailedResult } from "./payload.ts";
import type { QueuedJob } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

type FinishedState = "completed" | "failed";

/**
 * Reads results page by page, in the order they finished. Events are not used: Redis keeps only the last 10,000, and
 * PostgreSQL was seen to lose some while the collector listened. A clock of a worker that runs slow can put a result
 * before the place already read, so the whole list is read again before anything is taken for missing.
 */
export function createCollector(batch: QueuedBatch) {
	const { work, queue, outstanding, persist } = batch;
	const positions = { completed: 0, failed: 0 };
	let settling: Promise<unknown> = Promise.resolve();
	const settle = (task: BatchTask, result: TaskResult): void => {
		settling = Promise.all([settling, work.settle(task, result)]);
	};
	/** Settles it, or puts it back when only the way back from the worker has failed. */
	const handle = async (state: FinishedState, job: QueuedJob): Promise<number> => {
		const task = outstanding.get(job.id ?? "");
		if (task === undefined) return 0;
		outstanding.delete(job.id ?? "");
		const repeat = (task.repeat ?? 0) + 1;
		if (state === "completed") settle(task, parseQueuedResult(job.returnvalue, readSpent(job)));
		else if (isLost(job)) settle(task, toFailedResult(LOST, "worker_lost", readSpent(job)));
		else if (repeat > QUEUE_LIMITS.maxLostWorkers)
			settle(task, toFailedResult(describeLostResult(job), "worker_failed", readSpent(job)));
		else await addTasks(batch, [{ ...task, repeat, spentUsd: readSpent(job) }]);
		return 1;
	};
	const readFrom = async (state: FinishedState): Promise<number> => {
		let found = 0;
		for (;;) {
			const start = positions[state];
			const end = start + QUEUE_LIMITS.resultsPerPage - 1;
			const jobs = (await persist(() => queue.getJobs([state], start, end, true))) ?? [];
			positions[state] += jobs.length;
			for (const job of jobs) found += await handle(state, job);
			if (jobs.length < QUEUE_LIMITS.resultsPerPage) return found;
		}
	};
	const collectNew = async (): Promise<number> => (await readFrom("completed")) + (await readFrom("failed"));
	return {
		/** Settles results that came since the last call. Returns how many there were. */
		collectNew,
		/** Looks at all results again. */
		collectAll(): Promise<number> {
			positions.completed = 0;
			positions.failed = 0;
			return collectNew();
		},
		/** Resolves when everything that was collected is on disk. */
		async settled(): Promise<void> {
			await settling;
		},
	};
}

/** BullMQ's words for a job whose worker was lost too often. */
function isLost(job: QueuedJob): boolean {
	return /stalled/.test(job.failedReason ?? "");
}

const LOST = `The worker that ran it was lost ${QUEUE_LIMITS.maxLostWorkers + 1} times, the last time while it ran alone there. The task is probably what ends it: look at the worker's machine.`;

/** Such as a database that was starting when the worker had its result: it then says no instead of not answering. */
function describeLostResult(job: QueuedJob): string {
	return `The worker could not hand over its result: ${job.failedReason ?? "it gave no reason"}`;
}
