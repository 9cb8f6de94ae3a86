import type { TaskResult } from "../batch-record.ts";
import type { LaneWork } from "../lane.ts";
import type { Outstanding } from "./feed-queue.ts";
import { parseQueuedResult, toFailedResult } from "./payload.ts";
import { type PersistOptions, persist } from "./persist.ts";
import type { QueuedJob, TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

export interface Collector {
	/** Settles results that came since the last call. Returns how many there were. */
	collectNew(): Promise<number>;
	/** Looks at all results again. */
	collectAll(): Promise<number>;
	/** Resolves when everything that was collected is on disk. */
	settled(): Promise<void>;
}

const FINISHED = ["completed", "failed"] as const;

/**
 * Reads results page by page, in the order they finished. Events are not used: Redis keeps only the last 10,000, and
 * PostgreSQL was seen to lose some while the collector listened. A clock of a worker that runs slow can put a result
 * before the place already read, so the whole list is read again before anything is taken for missing.
 */
export function createCollector(
	work: LaneWork,
	queue: TaskQueue,
	outstanding: Outstanding,
	settings: PersistOptions,
): Collector {
	const positions = { completed: 0, failed: 0 };
	let settling: Promise<unknown> = Promise.resolve();
	const settle = (job: QueuedJob, result: TaskResult): boolean => {
		const task = outstanding.get(job.id ?? "");
		if (task === undefined) return false;
		outstanding.delete(job.id ?? "");
		settling = Promise.all([settling, work.settle(task, result)]);
		return true;
	};
	const readFrom = async (state: (typeof FINISHED)[number]): Promise<number> => {
		let found = 0;
		for (;;) {
			const start = positions[state];
			const end = start + QUEUE_LIMITS.resultsPerPage - 1;
			const jobs = (await persist(() => queue.getJobs([state], start, end, true), settings)) ?? [];
			positions[state] += jobs.length;
			for (const job of jobs) if (settle(job, toResult(state, job))) found += 1;
			if (jobs.length < QUEUE_LIMITS.resultsPerPage) return found;
		}
	};
	const collectNew = async (): Promise<number> => (await readFrom("completed")) + (await readFrom("failed"));
	return {
		collectNew,
		collectAll() {
			positions.completed = 0;
			positions.failed = 0;
			return collectNew();
		},
		async settled() {
			await settling;
		},
	};
}

function toResult(state: (typeof FINISHED)[number], job: QueuedJob): TaskResult {
	if (state === "completed") return parseQueuedResult(job.returnvalue);
	const reason = job.failedReason ?? "";
	return /stalled/.test(reason)
		? toFailedResult(
				`The worker that ran it was lost ${QUEUE_LIMITS.maxLostWorkers + 1} times. The task may be what ends it: look at the worker's machine.`,
				"worker_lost",
			)
		: toFailedResult(`The worker failed: ${reason}`, "worker_failed");
}
