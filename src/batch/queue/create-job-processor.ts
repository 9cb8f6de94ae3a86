import { sleep } from "@deputize/ground";
import type { BatchTask, ExecuteTask } from "../batch-record.ts";
import { createPause } from "../create-pause.ts";
import type { Solitude } from "./create-solitude.ts";
import { packResult, parseQueuedTask, readSpent, toFailedResult } from "./payload.ts";
import type { ProcessJob, QueueBackend, QueuedJob, TaskWorker } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

interface JobProcessorOptions {
	readonly backend: QueueBackend;
	readonly execute: ExecuteTask;
	readonly solitude: Solitude;
	/** Agents that were checked when the batch was joined. */
	readonly agents: readonly string[];
	/** False while the server may offer what is finished. */
	readonly isTrusted: () => Promise<boolean>;
	/** Whether an agent still is what it was then. */
	readonly isUnchanged: (agent: string) => boolean;
}

interface JobProcessor {
	readonly process: ProcessJob;
	/** The worker that calls it; known only after it was made. */
	attach(worker: TaskWorker): void;
}

/** Turns a job into a result. A quota error pauses every worker of the batch and costs the task no attempt. */
export function createJobProcessor(options: JobProcessorOptions): JobProcessor {
	const { backend, execute, solitude, agents, isTrusted, isUnchanged } = options;
	const pause = createPause();
	let worker: TaskWorker | undefined;
	const run = async (job: QueuedJob, task: BatchTask, token: string | undefined, signal: AbortSignal) => {
		const spentUsd = Math.max(readSpent(job), task.spentUsd ?? 0);
		const saving = createSaving(job, spentUsd);
		const outcome = await execute(task, { signal, spentUsd, onSpent: saving.note });
		await saving.saved();
		if (outcome.kind === "finished") {
			pause.noteSuccess();
			return packResult(outcome.result);
		}
		await job.updateProgress({ spentUsd: spentUsd + outcome.costUsd });
		if (outcome.kind === "stopped") {
			await job.moveToWait(token);
			throw backend.waitingError();
		}
		pause.holdForQuota(outcome.retryAfterMs);
		await worker?.rateLimit(Math.max(1, (pause.until() ?? 0) - Date.now()));
		throw backend.rateLimitError();
	};
	return {
		attach(made) {
			worker = made;
		},
		async process(job, token, signal) {
			const task = parseQueuedTask(job.data);
			// Whoever can write to the queue could add anything: only what was agreed on runs.
			if (task === undefined || !agents.includes(task.agent)) {
				return JSON.stringify(
					toFailedResult("The worker refused a task that its batch does not allow.", "refused"),
				);
			}
			// Somebody else's to do, when the agent has changed: this worker leaves the batch when it looks at it next.
			if (!isUnchanged(task.agent) || !(await isTrusted())) {
				await sleep(QUEUE_LIMITS.directoryPollMs, signal);
				await job.moveToWait(token);
				throw backend.waitingError();
			}
			if (!(await solitude.enter(job, token, signal))) {
				await job.moveToWait(token);
				throw backend.waitingError();
			}
			return run(job, task, token, signal);
		},
	};
}

/** Keeps what a task has cost on the server, one after the other: its worker may be killed. */
function createSaving(job: QueuedJob, before: number) {
	let known = before;
	let saved: Promise<unknown> = Promise.resolve();
	return {
		note(spentUsd: number): void {
			if (spentUsd <= known) return;
			known = spentUsd;
			// Without a server there is nobody to tell; the result will say it.
			saved = saved.then(() => job.updateProgress({ spentUsd })).catch(() => undefined);
		},
		saved: () => saved,
	};
}
