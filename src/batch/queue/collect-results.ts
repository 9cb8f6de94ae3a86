import { sleep, waitWithin } from "@deputize/ground";
import type { LaneWork } from "../lane.ts";
import { createCollector } from "./create-collector.ts";
import { createQueueWatch, type WatchOptions } from "./create-queue-watch.ts";
import { eachJob } from "./each-job.ts";
import { addTasks, feedQueue, type QueuedBatch } from "./feed-queue.ts";
import { createPersist } from "./persist.ts";
import type { TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

interface CollectOptions extends WatchOptions {
	/** Puts everything on the server but the tasks: the batch's entry, and its limits. */
	readonly announce: () => Promise<void>;
}

/** Feeds the queue and settles results until every task has one, or nothing more is to come. Returns what is left. */
export async function collectResults(
	work: LaneWork,
	queue: TaskQueue,
	options: CollectOptions,
): Promise<QueuedBatch["outstanding"]> {
	const gone = new AbortController();
	const persist = createPersist(AbortSignal.any([work.stop, gone.signal]), work.notice);
	const batch: QueuedBatch = { work, queue, outstanding: new Map(), persist };
	const { outstanding } = batch;
	const collector = createCollector(batch);
	const look = createQueueWatch(batch, options);
	const feeding = followPromise(feedQueue(batch));
	// Draining pauses the queue for every worker: they finish what they have and take nothing new.
	let isHeld = false;
	const hold = (): void => {
		const held = persist(() => queue.pause())
			.then(() => {
				isHeld = true;
			})
			.catch(() => undefined);
		// Whoever leaves does not wait for a server that is gone; the next run collects what there is.
		void waitWithin(held, QUEUE_LIMITS.leaveMs).then((answers) => {
			if (!answers) gone.abort();
		});
	};
	work.drain.addEventListener("abort", hold, { once: true });
	/** False when nothing more is to come. */
	const step = async (): Promise<boolean> => {
		const found = await collector.collectNew();
		if (feeding.isDone() && outstanding.size === 0) return false;
		// Only a look that began after the queue was held says that nothing runs any more.
		const wasHeld = isHeld;
		const status = await look();
		pollMs = found > 0 ? QUEUE_LIMITS.shortestPollMs : Math.min(pollMs * 2, QUEUE_LIMITS.longestPollMs);
		if (status !== undefined && status.claimed !== "kept") return putBack(status.claimed, batch, options);
		if (found > 0 || !feeding.isDone() || status?.active !== 0 || (await collector.collectAll()) > 0)
			return true;
		if (work.drain.aborted) return !wasHeld;
		// Neither waiting, running nor finished: the server has lost them.
		if (status.waiting === 0) await addTasks(batch, [...outstanding.values()]);
		return true;
	};
	let pollMs: number = QUEUE_LIMITS.shortestPollMs;
	while (!work.stop.aborted && !gone.signal.aborted && feeding.failure() === undefined && (await step()))
		await sleep(pollMs, work.stop);
	work.drain.removeEventListener("abort", hold);
	for (const task of outstanding.values()) work.giveUp(task, 0);
	await feeding.settled;
	await collector.settled();
	const failure = feeding.failure();
	if (failure !== undefined) throw failure.error;
	return outstanding;
}

/** A promise whose state can be looked at. */
function followPromise(promise: Promise<void>) {
	let isDone = false;
	let failure: { readonly error: unknown } | undefined;
	const settled = promise.then(
		() => {
			isDone = true;
		},
		(error: unknown) => {
			failure = { error };
		},
	);
	return { settled, isDone: () => isDone, failure: () => failure };
}

/** What the server has forgotten is put on it again. False when nobody wants that. */
async function putBack(
	why: "cancelled" | "forgotten",
	batch: QueuedBatch,
	{ announce }: CollectOptions,
): Promise<boolean> {
	const { work, queue, persist, outstanding } = batch;
	if (why === "cancelled") work.stopEarly("cancelled");
	if (work.drain.aborted) return false;
	work.notice("The queue has lost this batch, or a part of it. Putting back what is not finished.");
	// Held meanwhile, so that no worker takes what was finished before the server went back in time.
	await persist(() => queue.pause());
	await persist(() => removeSettled(batch));
	await persist(announce);
	await addTasks(batch, [...outstanding.values()]);
	return true;
}

/** A server that has gone back in time offers tasks again that are finished. */
async function removeSettled({ queue, outstanding }: QueuedBatch): Promise<void> {
	const settled: string[] = [];
	await eachJob(queue, ["waiting", "paused"], ({ id = "" }) => {
		if (!outstanding.has(id)) settled.push(id);
	});
	for (const id of settled) await queue.remove(id);
}
