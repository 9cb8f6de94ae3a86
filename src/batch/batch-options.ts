import type { DelegateOptions } from "../delegation/delegate-options.ts";
import type { BatchEstimate } from "./batch-estimate.ts";
import type { BatchProgress } from "./batch-progress.ts";
import type { ExecuteTask } from "./batch-record.ts";
import type { MaxFailures } from "./create-failure-brake.ts";
import type { Rate } from "./parse-rate.ts";

export const BATCH_PRIORITIES = ["low", "normal", "high"] as const;
export type BatchPriority = (typeof BATCH_PRIORITIES)[number];

/** What a caller can say about a batch. Everything has a sensible default. */
export interface BatchOptions {
	/** How every task is delegated: directory, model, runtime, limits. */
	readonly delegate?: DelegateOptions;
	/** What the tasks were made of, for `deputize view`. */
	readonly template?: string | undefined;
	/** A JSON lines file: results and checkpoint. Finished tasks in it do not run again. */
	readonly output?: string | undefined;
	/** How many tasks run at once; on a queue, over all workers together. */
	readonly concurrency?: number | undefined;
	readonly rate?: Rate | undefined;
	/** US dollars, over all runs of the batch. Reserved before a task starts. */
	readonly budgetUsd?: number | undefined;
	/** A task that has cost this much is stopped and fails. */
	readonly maxUsdPerTask?: number | undefined;
	/** Start at most so many tasks now. */
	readonly limit?: number | undefined;
	/** Only so many tasks, drawn from all of them; the same ones each time. */
	readonly sample?: number | undefined;
	/** Run tasks again that failed in an earlier run: all, or those with one of these kinds of failure or ids. */
	readonly retryFailed?: boolean | readonly string[] | undefined;
	/** How often a task runs again, after a pause, that failed for a reason that passes (network, a crash, a server's error). */
	readonly retries?: number | undefined;
	/** More failures stop the batch early, and so do ten in a row for one reason. */
	readonly maxFailures?: MaxFailures | undefined;
	/** Called with what is to come before the first task starts; false stops it. */
	readonly confirm?: ((estimate: BatchEstimate) => Promise<boolean>) | undefined;
	/** `redis://…` or `postgres://…`: workers run the tasks, this process collects. Needs `output`. */
	readonly queue?: string | undefined;
	/** Which batches of a queue go first, where workers have to choose. */
	readonly priority?: BatchPriority | undefined;
	/** What the workers call the directory; the name of the repository when not given. */
	readonly workspace?: string | undefined;
	/** Aborted: start nothing new, finish what runs. */
	readonly drain?: AbortSignal | undefined;
	/** Aborted: end what runs. Such tasks are not recorded and run again with the next call. */
	readonly signal?: AbortSignal | undefined;
	readonly maxQuotaWaitMs?: number | undefined;
	/** Replaces the delegation; on a queue, the workers decide. */
	readonly execute?: ExecuteTask | undefined;
	readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
	readonly onNotice?: ((line: string) => void) | undefined;
}
