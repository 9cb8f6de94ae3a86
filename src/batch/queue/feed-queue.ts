import type { BatchTask } from "../batch-record.ts";
import type { LaneWork } from "../lane.ts";
import { packPayload } from "./payload.ts";
import type { Persist } from "./persist.ts";
import type { NewJob, TaskQueue } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/** A batch whose tasks are on a queue, as seen by the process that collects the results. */
export interface QueuedBatch {
	readonly work: LaneWork;
	readonly queue: TaskQueue;
	/** Tasks whose results have not been settled, by the id of their job. */
	readonly outstanding: Map<string, BatchTask>;
	readonly persist: Persist;
}

/**
 * Puts tasks on the queue as fast as the budget allows. A job has the id of its task and attempt, so adding it twice,
 * after a crash or a lost connection, changes nothing.
 */
export async function feedQueue(batch: QueuedBatch): Promise<void> {
	const bulk: BatchTask[] = [];
	const flush = (): Promise<void> => addTasks(batch, bulk.splice(0));
	for (;;) {
		const next = batch.work.next();
		// The budget may hold back the next task until one of these has finished.
		if (bulk.length >= QUEUE_LIMITS.tasksPerBulk || !(await isReady(next))) await flush();
		const task = await next;
		if (task === undefined) break;
		bulk.push(task);
	}
	await flush();
}

export async function addTasks(
	{ queue, outstanding, persist }: QueuedBatch,
	tasks: readonly BatchTask[],
): Promise<void> {
	for (const task of tasks) outstanding.set(toTaskJobId(task), task);
	for (let start = 0; start < tasks.length; start += QUEUE_LIMITS.tasksPerBulk) {
		const jobs = tasks.slice(start, start + QUEUE_LIMITS.tasksPerBulk).map(toJob);
		await persist(() => queue.addBulk(jobs));
	}
}

function toJob({ input: _kept, ...task }: BatchTask): NewJob {
	return { name: "task", data: packPayload(task), opts: { jobId: toTaskJobId(task) } };
}

/** A task that is tried again must not be taken for the job of its first attempt. */
function toTaskJobId({ key, attempt = 1, repeat = 0 }: BatchTask): string {
	return repeat === 0 ? `${key}-${attempt}` : `${key}-${attempt}-${repeat}`;
}

/** Settles when the promise does, or after everything that was due has run. */
function isReady(promise: Promise<unknown>): Promise<boolean> {
	return Promise.race([
		promise.then(
			() => true,
			() => true,
		),
		new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
	]);
}
