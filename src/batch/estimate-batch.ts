import { nameBatchFiles } from "./batch-files.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchOptions } from "./batch-options.ts";
import { buildBatchTasks, type TaskRequest } from "./build-batch-tasks.ts";
import { type LedgerEntry, readEntries } from "./ledger/read-entries.ts";
import { selectTodo } from "./select-todo.ts";

/** What a batch would do, found out without starting or writing anything. */
interface BatchEstimate {
	readonly total: number;
	readonly finished: number;
	readonly todo: number;
	readonly agent: { readonly name: string; readonly file: string; readonly model: string | null };
	/** The first task as it would be sent. */
	readonly firstTask: string | null;
	/** Computed from what the finished tasks cost and took; absent until some have finished. */
	readonly costUsd?: number;
	readonly durationMs?: number;
	readonly advice?: string;
}

/** Fewer finished tasks than this say little about the rest. */
const TASKS_FOR_ESTIMATE = 5;

export async function estimateBatch(
	requests: Iterable<TaskRequest>,
	options: BatchOptions,
): Promise<BatchEstimate> {
	const { tasks, agents } = await buildBatchTasks(requests, options.delegate ?? {});
	const entries: ReadonlyMap<string, LedgerEntry> =
		options.output === undefined
			? new Map()
			: (await readEntries(nameBatchFiles(options.output).output)).entries;
	const todo = selectTodo(tasks, entries, options);
	const [decided] = agents.values();
	return {
		total: tasks.length,
		finished: tasks.filter(({ key }) => entries.has(key)).length,
		todo: todo.length,
		agent: {
			name: decided?.agent.name ?? "",
			file: decided?.agent.file ?? "",
			model: decided?.model ?? null,
		},
		firstTask: todo[0]?.task ?? null,
		...estimate([...entries.values()], todo.length, options.concurrency ?? BATCH_LIMITS.defaultConcurrency),
	};
}

function estimate(
	finished: readonly LedgerEntry[],
	todo: number,
	concurrency: number,
): Pick<BatchEstimate, "costUsd" | "durationMs" | "advice"> {
	if (finished.length < TASKS_FOR_ESTIMATE) {
		return { advice: "Run it with --limit 20 first: cost and time are estimated from finished tasks." };
	}
	const mean = (read: (entry: LedgerEntry) => number): number =>
		finished.reduce((sum, entry) => sum + read(entry), 0) / finished.length;
	return {
		costUsd: todo * mean(({ costUsd }) => costUsd),
		durationMs: Math.round((todo * mean(({ durationMs }) => durationMs)) / concurrency),
	};
}
