import { sleep } from "@deputize/ground";
import type { Directory } from "./directory.ts";
import type { TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/** Ends a batch everywhere: its workers stop what they run of it, then everything of it leaves the server. */
export async function cancelBatch(queue: TaskQueue, directory: Directory, id: string): Promise<void> {
	const entry = await directory.find(id);
	const countActive = async (): Promise<number> => (await queue.getJobCounts("active"))["active"] ?? 0;
	if (entry !== undefined && (await countActive()) > 0) {
		await queue.pause();
		await directory.put({ ...entry, state: "cancelled" });
		const until = Date.now() + QUEUE_LIMITS.cancelGraceMs;
		// A worker that does not answer loses its lease; what it still does is thrown away.
		while ((await countActive()) > 0 && Date.now() < until) await sleep(QUEUE_LIMITS.longestPollMs);
	}
	await directory.remove("batch", id);
	await queue.obliterate({ force: true });
}
