import { sleep } from "@deputize/ground";
import type { Directory } from "./directory.ts";
import { eachJob } from "./each-job.ts";
import type { QueuedBatch } from "./feed-queue.ts";
import { parseQueuedResult, readSpent } from "./payload.ts";
import type { TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/**
 * Ends a batch everywhere: its workers stop what they run of it, then everything of it leaves the server. Returns what
 * was spent on those of its tasks that nobody has collected.
 */
export async function cancelBatch(
	queue: TaskQueue,
	directory: Directory,
	id: string,
	left: Pick<QueuedBatch["outstanding"], "has" | "size">,
): Promise<number> {
	const entry = await directory.find(id);
	const countActive = async (): Promise<number> => (await queue.getJobCounts("active"))["active"] ?? 0;
	if (entry !== undefined) {
		await queue.pause();
		await directory.put({ ...entry, state: "cancelled" });
		const startedAt = Date.now();
		const hasPassed = (milliseconds: number): boolean => Date.now() - startedAt >= milliseconds;
		// A worker that does not answer loses its lease; what it still does is thrown away.
		while ((await countActive()) > 0 && !hasPassed(QUEUE_LIMITS.cancelGraceMs))
			await sleep(QUEUE_LIMITS.longestPollMs);
		// A process that collects would put back what is gone: it has to see that nobody wants it any more.
		while (entry.collector !== undefined && !hasPassed(3 * QUEUE_LIMITS.statusPollMs))
			await sleep(QUEUE_LIMITS.longestPollMs);
	}
	await directory.remove("batch", id);
	const costUsd = left.size > 0 ? await sumLeft(queue, left) : 0;
	await queue.obliterate({ force: true });
	return costUsd;
}

async function sumLeft(queue: TaskQueue, left: Pick<QueuedBatch["outstanding"], "has">): Promise<number> {
	let costUsd = 0;
	await eachJob(queue, ["waiting", "paused", "active", "completed", "failed"], (job) => {
		if (!left.has(job.id ?? "")) return;
		costUsd += parseQueuedResult(job.returnvalue, readSpent(job)).costUsd;
	});
	return costUsd;
}
