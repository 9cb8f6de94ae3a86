import type { Slots } from "@deputize/ground";
import type { Solitude } from "./create-solitude.ts";
import type { WaitForQueueOptions } from "./wait-for-queue.ts";

/**
 * What we use of BullMQ, which Redis and PostgreSQL serve alike. The package is an optional peer: nothing here imports
 * its types, so that this package's own declarations stand alone.
 */
export interface QueuedJob {
	readonly id?: string;
	readonly data: unknown;
	readonly progress: unknown;
	readonly returnvalue: unknown;
	readonly failedReason?: string;
	/** How often its worker was lost. */
	readonly stalledCounter?: number;
	updateData(data: unknown): Promise<void>;
	updateProgress(progress: object): Promise<void>;
	moveToWait(token?: string): Promise<unknown>;
}

export interface NewJob {
	readonly name: string;
	readonly data: unknown;
	readonly opts: { readonly jobId: string };
}

export type JobState = "waiting" | "paused" | "active" | "delayed" | "prioritized" | "completed" | "failed";

export interface TaskQueue {
	addBulk(jobs: readonly NewJob[]): Promise<unknown>;
	getJob(id: string): Promise<QueuedJob | undefined>;
	getJobs(states: readonly JobState[], start: number, end: number, ascending: boolean): Promise<QueuedJob[]>;
	getJobCounts(...states: JobState[]): Promise<Readonly<Record<string, number>>>;
	remove(id: string): Promise<unknown>;
	pause(): Promise<void>;
	resume(): Promise<void>;
	isPaused(): Promise<boolean>;
	obliterate(options: { readonly force: boolean }): Promise<void>;
	getRateLimitTtl(): Promise<number>;
	/** Ends a quota pause. */
	removeRateLimitKey(): Promise<unknown>;
	setGlobalConcurrency(concurrency: number): Promise<unknown>;
	removeGlobalConcurrency(): Promise<unknown>;
	setGlobalRateLimit(max: number, durationMs: number): Promise<unknown>;
	waitUntilReady(): Promise<unknown>;
	close(): Promise<void>;
}

export interface TaskWorker {
	/** Waits for what runs, unless forced. */
	close(force?: boolean): Promise<void>;
	cancelJob(id: string, reason?: string): boolean;
	cancelAllJobs(reason?: string): void;
	/** No worker of this queue starts anything for so long. */
	rateLimit(durationMs: number): Promise<void>;
	on(event: "lockRenewalFailed", listener: (ids: readonly string[]) => void): unknown;
	on(event: "error", listener: (error: Error) => void): unknown;
}

/** The third parameter must be declared: BullMQ only makes a signal for functions that take one. */
export type ProcessJob = (job: QueuedJob, token: string | undefined, signal: AbortSignal) => Promise<string>;

export interface TaskWorkerOptions {
	/** Shared by all batches of a worker. A task is leased only when there is one of each for it; taken in this order. */
	readonly slots: readonly Slots[];
	/** Batches with a higher one get a slot first. */
	readonly rank: number;
	readonly solitude: Solitude;
	readonly concurrency: number;
	/** How long a task stays with a worker that has gone silent. */
	readonly leaseMs: number;
}

/** One server, opened. */
export interface QueueBackend {
	/** Resolves when it answers; false when the wait was aborted. Throws a `BatchError` when that will not change. */
	waitUntilReachable(options: WaitForQueueOptions): Promise<boolean>;
	openQueue(name: string): Promise<TaskQueue>;
	openWorker(name: string, process: ProcessJob, options: TaskWorkerOptions): TaskWorker;
	/** Thrown by a processor: the task goes back to the front of the queue and no attempt is counted. */
	rateLimitError(): Error;
	/** Thrown by a processor that has moved its task back by itself. */
	waitingError(): Error;
	/** Set-ups that lose data, as sentences with a remedy. */
	checkDurability(): Promise<readonly string[]>;
}
