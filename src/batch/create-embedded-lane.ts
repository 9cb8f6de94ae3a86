import { createSlots, sleep } from "@deputize/ground";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { BatchTask } from "./batch-record.ts";
import { createPause, type Pause } from "./create-pause.ts";
import type { TaskRunner } from "./create-task-runner.ts";
import type { Lane, LaneWork } from "./lane.ts";
import type { Rate } from "./parse-rate.ts";

interface Pool extends TaskRunner {
	readonly concurrency: number;
	readonly pause: Pause;
	readonly rate: RateLimit;
	readonly maxQuotaWaitMs: number;
}

/** Runs the tasks in this process, a few at once. Needs nothing but the output file. */
export function createEmbeddedLane(
	runner: TaskRunner,
	options: Pick<BatchOptions, "concurrency" | "rate" | "maxQuotaWaitMs">,
): Lane {
	const pause = createPause();
	const pool: Pool = {
		...runner,
		concurrency: options.concurrency ?? BATCH_LIMITS.defaultConcurrency,
		pause,
		rate: createRateLimit(options.rate),
		maxQuotaWaitMs: options.maxQuotaWaitMs ?? BATCH_LIMITS.maxQuotaWaitMs,
	};
	return {
		run: (work) => runPool(work, pool),
		async setHeld(held) {
			pause.setHeld(held);
		},
		async close() {
			await runner.close();
			return 0;
		},
	};
}

async function runPool(work: LaneWork, pool: Pool): Promise<void> {
	const { pause } = pool;
	const slots = createSlots(pool.concurrency);
	const running = new Set<Promise<void>>();
	const report = (): void =>
		work.report({ running: running.size, held: pause.isHeld(), pausedUntil: pause.until() });
	let failure: { readonly error: unknown } | undefined;
	while (failure === undefined) {
		const giveBack = await slots.take({ signal: work.drain });
		if (giveBack === undefined || failure !== undefined || !(await pause.wait(work.drain))) break;
		const task = await work.next();
		if (task === undefined) break;
		const run: Promise<void> = runToEnd(task, work, pool)
			.catch((error: unknown) => {
				failure ??= { error };
			})
			.finally(() => {
				running.delete(run);
				giveBack();
				report();
			});
		running.add(run);
		report();
	}
	while (running.size > 0) await Promise.all(running);
	if (failure !== undefined) throw failure.error;
}

/** Until the task is finished, or given up because the batch stops. A quota error only makes it wait. */
async function runToEnd(task: BatchTask, work: LaneWork, pool: Pool): Promise<void> {
	const { pause } = pool;
	let spentUsd = 0;
	while ((await pool.rate(work.drain)) && (await pause.wait(work.drain))) {
		const outcome = await pool.execute(task, {
			signal: work.stop,
			spentUsd,
			onSpent: (costUsd) => work.spent(task, costUsd),
		});
		if (outcome.kind === "finished") {
			pause.noteSuccess();
			void work.settle(task, outcome.result);
			return;
		}
		spentUsd += outcome.costUsd;
		if (outcome.kind === "stopped") break;
		pause.holdForQuota(outcome.retryAfterMs);
		if (isHopeless(pool)) work.stopEarly("quota");
		else work.notice(`Paused: ${outcome.reason}`);
	}
	work.giveUp(task, spentUsd);
}

/** The provider has refused for too long, or asks for a longer wait than the batch has patience. */
function isHopeless({ pause, maxQuotaWaitMs }: Pool): boolean {
	const since = pause.refusedSince() ?? Date.now();
	return (pause.until() ?? 0) - since > maxQuotaWaitMs;
}

/** Waits until one more start is within the rate. False when the signal was aborted. */
type RateLimit = (signal: AbortSignal) => Promise<boolean>;

/** At most `count` starts in any window of `perMs`, however they are distributed in it. */
function createRateLimit(rate: Rate | undefined): RateLimit {
	if (rate === undefined) return (signal) => Promise.resolve(!signal.aborted);
	const starts: number[] = [];
	return async (signal) => {
		const at = performance.now();
		const earliest = starts.length < rate.count ? at : (starts.shift() ?? at) + rate.perMs;
		// Taken before waiting, so that the next caller waits for the place after this one.
		starts.push(Math.max(at, earliest));
		return earliest <= at ? !signal.aborted : sleep(earliest - at, signal);
	};
}
