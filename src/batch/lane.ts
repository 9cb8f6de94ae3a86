import type { BatchTask, TaskResult } from "./batch-record.ts";

/** Why a batch ended before its last task. */
export type StopReason = "budget" | "quota" | "interrupted" | "cancelled" | "failures" | "declined";

/** What a lane works on: it pulls tasks, and hands back what came of them. */
export interface LaneWork {
	/** The next task that the budget covers; undefined when no more is to start. */
	next(): Promise<BatchTask | undefined>;
	/** The line is in the output when this returns, and on disk when the promise resolves. */
	settle(task: BatchTask, result: TaskResult): Promise<void>;
	/** What a running task has cost so far. */
	spent(task: BatchTask, costUsd: number): void;
	/** The task was not finished and is still to do; what it has cost counts. */
	giveUp(task: BatchTask, costUsd: number): void;
	/** Aborted: start nothing new, finish what runs. */
	readonly drain: AbortSignal;
	/** Aborted: end what runs. */
	readonly stop: AbortSignal;
	/** Ends the batch early, as if it was drained. */
	stopEarly(reason: StopReason): void;
	report(report: LaneReport): void;
	notice(line: string): void;
}

/** What a lane can say about itself while it works. */
export interface LaneReport {
	readonly running: number;
	/** Workers that are connected, for a queue. */
	readonly workers?: number | undefined;
	/** Clock time when a quota pause ends. */
	readonly pausedUntil?: number | undefined;
	/** Paused by a person. */
	readonly held?: boolean | undefined;
}

/** Where the tasks of a batch run: in this process, or on workers that share a queue. */
export interface Lane {
	/** Resolves when nothing of the batch runs any more and every result was settled. */
	run(work: LaneWork): Promise<void>;
	/** Pauses or resumes every worker of this batch. */
	setHeld(held: boolean): Promise<void>;
	/**
	 * `finished`: the batch is complete, and nothing of it needs to be kept. Resolves with what was spent on tasks that
	 * were thrown away with it.
	 */
	close(finished: boolean): Promise<number>;
}
