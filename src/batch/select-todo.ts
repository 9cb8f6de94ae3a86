import type { BatchOptions } from "./batch-options.ts";
import type { BatchTask } from "./batch-record.ts";
import type { Entries } from "./ledger/create-entry-table.ts";
import type { LedgerEntry } from "./ledger/ledger-entry.ts";

/** What a run has to do, in the order of the input, and what it leaves as it is. */
export interface Todo extends Iterable<BatchTask> {
	readonly total: number;
	readonly todo: number;
	readonly done: number;
	readonly failed: number;
	/** Tasks that have a result, whether or not they run again. */
	readonly finished: number;
	/** Length of all tasks that are to do. */
	readonly todoChars: number;
}

/** Missing tasks, and failed ones when they are to run again. Goes through the tasks as they are asked for. */
export function selectTodo(
	tasks: Iterable<BatchTask>,
	entries: Entries,
	{
		retryFailed,
		limit = Number.POSITIVE_INFINITY,
		sample,
	}: Pick<BatchOptions, "retryFailed" | "limit" | "sample">,
): Todo {
	const lastOfSample = sample === undefined ? undefined : findLastOfSample(tasks, sample);
	const isTodo = (task: BatchTask): boolean => {
		if (lastOfSample !== undefined && task.key > lastOfSample) return false;
		const entry = entries.get(task.key);
		return entry === undefined || (entry.status === "failed" && isRetried(task, entry, retryFailed));
	};
	const counts = { total: 0, todo: 0, done: 0, failed: 0, finished: 0, todoChars: 0 };
	for (const task of tasks) {
		const status = entries.get(task.key)?.status;
		counts.total += 1;
		if (status !== undefined) counts.finished += 1;
		if (counts.todo < limit && isTodo(task)) {
			counts.todo += 1;
			counts.todoChars += task.task.length;
		} else if (status !== undefined) counts[status] += 1;
	}
	return {
		...counts,
		*[Symbol.iterator]() {
			let started = 0;
			for (const task of tasks) {
				if (started >= counts.todo) return;
				if (!isTodo(task)) continue;
				started += 1;
				yield task;
			}
		},
	};
}

function isRetried(
	{ id }: BatchTask,
	{ kind = "" }: LedgerEntry,
	retryFailed: BatchOptions["retryFailed"] = false,
): boolean {
	return typeof retryFailed === "boolean"
		? retryFailed
		: retryFailed.some((word) => word === kind || word === id);
}

/**
 * Keys are hashes, so the smallest ones are a sample: the same tasks each time, and a larger sample contains a smaller one.
 * Returns the largest key of those.
 */
function findLastOfSample(tasks: Iterable<BatchTask>, sample: number): string | undefined {
	let keys: string[] = [];
	const keepSmallest = (): void => {
		keys = keys.sort().slice(0, sample);
	};
	for (const { key } of tasks) {
		keys.push(key);
		if (keys.length >= 2 * sample) keepSmallest();
	}
	keepSmallest();
	return keys.at(-1);
}
