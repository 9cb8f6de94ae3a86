import { defined } from "@deputize/ground";
import type { BatchFiles } from "./batch-files.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { BatchProgress, Meter } from "./batch-progress.ts";
import type { BatchRecord, BatchTask, TaskResult } from "./batch-record.ts";
import type { PreparedTasks } from "./build-batch-tasks.ts";
import { type Budget, createBudget } from "./create-budget.ts";
import type { Channel } from "./create-channel.ts";
import { createFailureBrake } from "./create-failure-brake.ts";
import type { LaneWork } from "./lane.ts";
import { keepPatch } from "./ledger/keep-patch.ts";
import type { Ledger } from "./ledger/open-ledger.ts";
import type { Spending } from "./ledger/open-spending.ts";

export interface WorkParts {
	readonly todo: Iterable<BatchTask>;
	readonly ledger: Ledger;
	readonly spending: Spending;
	readonly options: BatchOptions;
	readonly meter: Meter;
	readonly files: BatchFiles | undefined;
	readonly prepared: Pick<PreparedTasks, "agents">;
}

interface WalkWork extends LaneWork {
	/** Resolves when every result that was settled is on disk and handed to the reader. */
	flushed(): Promise<void>;
}

/** The walk's side of a lane: which task comes next, and what happens with a result. */
export function createLaneWork(
	{ todo, ledger, spending, options, meter, files, prepared }: WorkParts,
	channel: Channel<BatchRecord>,
	control: Pick<LaneWork, "drain" | "stop" | "stopEarly">,
): WalkWork {
	const budget = createBatchBudget(ledger, options, meter.read().spentUsd);
	const tasks = todo[Symbol.iterator]();
	const spend = (): Partial<BatchProgress> => ({
		spentUsd: budget.spentUsd(),
		costUsd: budget.spentUsd() - spentBefore,
	});
	const spentBefore = budget.spentUsd();
	const brake = createFailureBrake(options.maxFailures, meter.read().todo);
	const settling = new Set<Promise<void>>();
	const settle = async (task: BatchTask, result: TaskResult): Promise<void> => {
		try {
			const mayChange = prepared.agents.get(task.agent)?.worksInLayer === true;
			const record = toRecord(task, keepPatch(task, result, files, mayChange), ledger);
			const synced = ledger.write(record);
			spending.noteLine(record);
			budget.settle(record.costUsd);
			const { done, failed, finishedNow } = meter.read();
			const counted = record.status === "done" ? { done: done + 1 } : { failed: failed + 1 };
			meter.change({ ...counted, finishedNow: finishedNow + 1, ...spend() });
			const trouble = control.drain.aborted ? undefined : brake(record);
			if (trouble !== undefined) {
				options.onNotice?.(trouble);
				control.stopEarly("failures");
			}
			await synced;
			channel.push(record);
		} catch (error) {
			// The output cannot be written: going on would only lose more.
			control.stopEarly("interrupted");
			channel.end({ error });
		}
	};
	return {
		...control,
		async next() {
			await channel.hasRoom(BATCH_LIMITS.maxUnreadRecords);
			const [oldest] = settling;
			if (settling.size >= BATCH_LIMITS.maxUnreadRecords) await oldest;
			if (control.drain.aborted) return undefined;
			const { value: task, done } = tasks.next();
			if (done) return undefined;
			if (await budget.reserve(control.drain)) return withAttempt(task, ledger);
			if (!control.drain.aborted) control.stopEarly("budget");
			return undefined;
		},
		settle(task, result) {
			const done = settle(task, result).finally(() => settling.delete(done));
			settling.add(done);
			return done;
		},
		async flushed() {
			while (settling.size > 0) await Promise.all(settling);
		},
		spent: spending.noteRunning,
		giveUp(task, costUsd) {
			spending.noteGivenUp(task, costUsd);
			budget.settle(costUsd);
			meter.change(spend());
		},
		report: meter.change,
		notice: (line) => options.onNotice?.(line),
	};
}

function createBatchBudget(ledger: Ledger, options: BatchOptions, spentUsd: number): Budget {
	let dearestUsd: number | undefined;
	for (const { costUsd } of ledger.entries.values()) dearestUsd = Math.max(dearestUsd ?? 0, costUsd);
	return createBudget({
		budgetUsd: options.budgetUsd,
		maxUsdPerTask: options.maxUsdPerTask,
		concurrency: options.concurrency ?? BATCH_LIMITS.defaultConcurrency,
		spentUsd,
		dearestUsd,
	});
}

function toRecord(task: BatchTask, result: TaskResult, ledger: Ledger): BatchRecord {
	const before = ledger.entries.get(task.key);
	return defined({
		id: task.id,
		key: task.key,
		agent: task.agent,
		input: task.input,
		attempt: task.attempt,
		...result,
		earlierCostUsd: before?.costUsd || undefined,
		finishedAt: new Date().toISOString(),
	}) as BatchRecord;
}

function withAttempt(task: BatchTask, ledger: Ledger): BatchTask {
	const before = ledger.entries.get(task.key);
	return before === undefined ? task : { ...task, attempt: before.attempt + 1 };
}
