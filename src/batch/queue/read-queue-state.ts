import type { TaskQueue } from "./queue-backend.ts";

/** What a queue says about itself. */
export interface QueueState {
	/** Not started yet. */
	readonly waiting: number;
	readonly active: number;
	/** Finished, with a result that was not collected yet or is kept until the end. */
	readonly completed: number;
	readonly paused: boolean;
	readonly quotaPauseMs: number;
}

export async function readQueueState(queue: TaskQueue): Promise<QueueState> {
	const [{ active = 0, completed = 0, ...notStarted }, pauseMs, paused] = await Promise.all([
		queue.getJobCounts("waiting", "paused", "delayed", "prioritized", "active", "completed"),
		queue.getRateLimitTtl(),
		queue.isPaused(),
	]);
	const waiting = Object.values(notStarted).reduce((sum, count) => sum + count, 0);
	return { waiting, active, completed, paused, quotaPauseMs: Math.max(0, pauseMs) };
}
