import type { LaneReport, StopReason } from "./lane.ts";

/** How far a batch is. */
export interface BatchProgress extends LaneReport {
	readonly total: number;
	/** Finished successfully, in this run or an earlier one. */
	readonly done: number;
	/** Failed in this run, or in an earlier one and not repeated. */
	readonly failed: number;
	/** Finished in this run, successfully or not. */
	readonly finishedNow: number;
	/** How many tasks this run is to finish. */
	readonly todo: number;
	/** What this run has cost. */
	readonly costUsd: number;
	/** What the batch has cost so far, over all its runs. */
	readonly spentUsd: number;
	readonly startedAt: number;
	/** Set when the batch ended, or will end, before its last task. */
	readonly stopped?: StopReason;
}

const NO_PROGRESS: BatchProgress = {
	total: 0,
	done: 0,
	failed: 0,
	finishedNow: 0,
	todo: 0,
	costUsd: 0,
	spentUsd: 0,
	startedAt: 0,
	running: 0,
};

export function createMeter(onProgress: ((progress: BatchProgress) => void) | undefined) {
	let progress: BatchProgress = { ...NO_PROGRESS, startedAt: Date.now() };
	return {
		read: (): BatchProgress => progress,
		change(change: Partial<BatchProgress>): void {
			progress = { ...progress, ...change };
			onProgress?.(progress);
		},
	};
}

/** The figures of one batch as they change. */
export type Meter = ReturnType<typeof createMeter>;
