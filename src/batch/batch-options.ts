import type { DelegateOptions } from "../delegation/delegate-options.ts";
import type { BatchProgress } from "./batch-progress.ts";
import type { ExecuteTask } from "./batch-record.ts";
import type { Rate } from "./parse-rate.ts";

/** What a caller can say about a batch. Everything has a sensible default. */
export interface BatchOptions {
	/** How every task is delegated: directory, model, runtime, limits. */
	readonly delegate?: DelegateOptions;
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
	/** Run tasks again that failed in an earlier run. */
	readonly retryFailed?: boolean | undefined;
	/** `redis://…` or `postgres://…`: workers run the tasks, this process collects. Needs `output`. */
	readonly queue?: string | undefined;
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
