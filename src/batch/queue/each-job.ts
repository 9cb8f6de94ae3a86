import type { JobState, QueuedJob, TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/** Looks at all jobs in these states, page by page. The list must not be changed meanwhile. */
export async function eachJob(
	queue: TaskQueue,
	states: readonly JobState[],
	onJob: (job: QueuedJob) => void,
): Promise<void> {
	for (const state of states) {
		for (let start = 0; ; start += QUEUE_LIMITS.resultsPerPage) {
			const jobs = await queue.getJobs([state], start, start + QUEUE_LIMITS.resultsPerPage - 1, true);
			jobs.forEach(onJob);
			if (jobs.length < QUEUE_LIMITS.resultsPerPage) break;
		}
	}
}
