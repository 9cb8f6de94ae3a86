import { formatCount, onAbort } from "@deputize/ground";
import { type BatchFiles, nameBatchFiles } from "./batch-files.ts";
import type { BatchOptions } from "./batch-options.ts";
import { type BatchProgress, createMeter, type Meter } from "./batch-progress.ts";
import type { BatchRecord, BatchTask } from "./batch-record.ts";
import { followControl, readBatchState } from "./batch-state.ts";
import { buildBatchTasks, type TaskRequest } from "./build-batch-tasks.ts";
import { createChannel } from "./create-channel.ts";
import { createLaneWork, type WorkParts } from "./create-lane-work.ts";
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
	const ledger = files === undefined ? createMemoryLedger() : await openLedger(files);
	try {
		const todo = selectTodo(prepared.tasks, ledger.entries, options);
		const before = countBefore(prepared.tasks, ledger, todo);
		meter.change({ ...before, spentUsd: sumSpent(ledger.entries, files && readBatchState(files)) });
		if (files && options.execute === undefined && before.done > 0) noteStrangers(before.done, files, options);
		const spending = openSpending(files, ledger.entries);
		const lane = await openLane({ options, files, prepared });
		yield* runOnLane({ lane, todo, ledger, spending, files, options, meter });
		const isReplaced = (id: string, key: string): boolean => {
			// The file of a globbed task has changed, and its new content was looked at.
			const current = prepared.keysById.get(id);
			return current !== undefined && current !== key && ledger.entries.has(current);
		};
		await spending.whileReplacing(isReplaced, () => ledger.tidy(isReplaced));
	} finally {
		await ledger.close();
	}
}

function countBefore(tasks: readonly BatchTask[], ledger: Ledger, todo: readonly BatchTask[]) {
	const again = new Set(todo.map(({ key }) => key));
	const kept = tasks.flatMap(({ key }) => (again.has(key) ? [] : (ledger.entries.get(key) ?? [])));
	return {
		total: tasks.length,
		todo: todo.length,
		done: kept.filter(({ status }) => status === "done").length,
		failed: kept.filter(({ status }) => status === "failed").length,
	};
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
	readonly files: BatchFiles | undefined;
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
