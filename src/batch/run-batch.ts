import { formatCount, onAbort } from "@deputize/ground";
import { type BatchFiles, nameBatchFiles } from "./batch-files.ts";
import type { BatchOptions } from "./batch-options.ts";
import { type BatchProgress, createMeter, type Meter } from "./batch-progress.ts";
import type { BatchRecord } from "./batch-record.ts";
import { followControl, readBatchState } from "./batch-state.ts";
import { buildBatchTasks, type PreparedTasks, type TaskRequest } from "./build-batch-tasks.ts";
import { createChannel } from "./create-channel.ts";
import { createLaneWork, type WorkParts } from "./create-lane-work.ts";
import { estimateTodo } from "./estimate-batch.ts";
import { isOwnBatch } from "./is-own-batch.ts";
import type { Lane, StopReason } from "./lane.ts";
import { createMemoryLedger, type Ledger, openLedger } from "./ledger/open-ledger.ts";
import { openSpending, sumSpent } from "./ledger/open-spending.ts";
import { openLane } from "./open-lane.ts";
import { selectTodo } from "./select-todo.ts";

export interface BatchRun extends AsyncIterable<BatchRecord> {
	/** How far it is now; the final figures after the last record. */
	progress(): BatchProgress;
}

/**
 * Runs many delegations and yields one record for each as it finishes, in the order they finish. A failed delegation
 * is a record, not an error; only a batch that cannot start or go on throws a `BatchError`. Leaving the loop early
 * ends what runs.
 */
export function runBatch(
	requests: Iterable<TaskRequest> | AsyncIterable<TaskRequest>,
	options: BatchOptions = {},
): BatchRun {
	const meter = createMeter(options.onProgress);
	return {
		progress: meter.read,
		[Symbol.asyncIterator]: () => walk(requests, options, meter),
	};
}

/** From requests to records: check all, keep what is finished, run the rest on a lane, write, yield, tidy up. */
async function* walk(
	requests: Iterable<TaskRequest> | AsyncIterable<TaskRequest>,
	options: BatchOptions,
	meter: Meter,
): AsyncGenerator<BatchRecord, void, void> {
	const prepared = await buildBatchTasks(requests, options.delegate ?? {});
	for (const { notices } of prepared.agents.values()) for (const line of notices) options.onNotice?.(line);
	const files = options.output === undefined ? undefined : nameBatchFiles(options.output);
	let ledger: Ledger | undefined;
	try {
		ledger = files === undefined ? createMemoryLedger() : await openLedger(files);
		yield* runPrepared(prepared, ledger, files, options, meter);
	} finally {
		prepared.tasks.close();
		await ledger?.close();
	}
}

async function* runPrepared(
	prepared: PreparedTasks,
	ledger: Ledger,
	files: BatchFiles | undefined,
	options: BatchOptions,
	meter: Meter,
): AsyncGenerator<BatchRecord, void, void> {
	const todo = selectTodo(prepared.tasks, ledger.entries, options);
	const { total, done, failed } = todo;
	const spentUsd = sumSpent(ledger.entries, files && readBatchState(files));
	meter.change({ total, done, failed, todo: todo.todo, spentUsd });
	if (files && options.execute === undefined && done > 0) noteStrangers(done, files, options);
	if (
		todo.todo > 0 &&
		(await options.confirm?.(estimateTodo(prepared, todo, ledger.entries, options))) === false
	) {
		meter.change({ stopped: "declined" });
		return;
	}
	const spending = openSpending(files, ledger.entries);
	const lane = await openLane({ options, files, prepared });
	yield* runOnLane({ lane, todo, ledger, spending, files, options, meter, prepared });
	const isReplaced = (entryId: string, key: string): boolean => {
		// The file of a globbed task has changed, and its new content was looked at.
		const current = prepared.findNamed(entryId);
		return current !== undefined && current !== key && ledger.entries.has(current);
	};
	await spending.whileReplacing(isReplaced, () => ledger.tidy(isReplaced));
}

/** A project can come with an output that says of every task that it is done. */
function noteStrangers(count: number, files: BatchFiles, { delegate, onNotice }: BatchOptions): void {
	if (isOwnBatch(readBatchState(files), delegate?.env)) return;
	onNotice?.(
		`${formatCount(count, "answer")} in ${files.output} are kept, and no batch of yours on this machine wrote them. To ask again, remove the file or choose another with -o.`,
	);
}

interface LaneRun extends WorkParts {
	readonly lane: Lane;
}

async function* runOnLane(run: LaneRun): AsyncGenerator<BatchRecord, void, void> {
	const { lane, files, options, meter, spending } = run;
	const drain = new AbortController();
	const stop = new AbortController();
	const stopEarly = (reason: StopReason): void => {
		if (meter.read().stopped === undefined) meter.change({ stopped: reason });
		drain.abort();
	};
	const end = (reason: StopReason): void => {
		stopEarly(reason);
		stop.abort();
	};
	const unfollow = [
		onAbort(options.drain, () => stopEarly("interrupted")),
		onAbort(options.signal, () => end("interrupted")),
		files &&
			followControl(files, (word) => {
				if (word === "cancel") end("cancelled");
				else void lane.setHeld(word === "pause");
			}),
	];
	const channel = createChannel<BatchRecord>();
	const work = createLaneWork(run, channel, { drain: drain.signal, stop: stop.signal, stopEarly });
	const running = lane
		.run(work)
		.finally(work.flushed)
		.then(
			() => channel.end(),
			(error: unknown) => channel.end({ error }),
		);
	try {
		yield* channel;
	} finally {
		stop.abort();
		drain.abort();
		channel.end();
		await running;
		for (const forget of unfollow) forget?.();
		const { finishedNow, todo, stopped } = meter.read();
		spending.addUnlisted(await lane.close(finishedNow === todo || stopped === "cancelled"));
	}
}
