import { defined } from "@deputize/ground";
import type { BatchEstimate } from "./batch-estimate.ts";
import { nameBatchFiles } from "./batch-files.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchOptions } from "./batch-options.ts";
import { buildBatchTasks, type PreparedTasks, type TaskRequest } from "./build-batch-tasks.ts";
import { createEntryTable, type Entries } from "./ledger/create-entry-table.ts";
import { readEntries } from "./ledger/read-entries.ts";
import { selectTodo, type Todo } from "./select-todo.ts";

/** Fewer finished tasks than this say little about the rest. */
const TASKS_FOR_ESTIMATE = 5;
const CHARS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

export async function estimateBatch(
	requests: Iterable<TaskRequest> | AsyncIterable<TaskRequest>,
	options: BatchOptions,
): Promise<BatchEstimate> {
	const prepared = await buildBatchTasks(requests, options.delegate ?? {});
	try {
		const entries =
			options.output === undefined
				? createEntryTable()
				: (await readEntries(nameBatchFiles(options.output).output)).entries;
		return estimateTodo(prepared, selectTodo(prepared.tasks, entries, options), entries, options);
	} finally {
		prepared.tasks.close();
	}
}

export function estimateTodo(
	{ agents }: PreparedTasks,
	todo: Todo,
	entries: Entries,
	{ concurrency = BATCH_LIMITS.defaultConcurrency }: BatchOptions,
): BatchEstimate {
	const [decided] = agents.values();
	const [first] = todo;
	const chars = todo.todoChars + todo.todo * (decided?.agent.prompt.length ?? 0);
	const taskTokens = Math.round(chars / CHARS_PER_TOKEN);
	const price = agents.size === 1 ? decided?.inputPrice : undefined;
	return {
		total: todo.total,
		finished: todo.finished,
		todo: todo.todo,
		agent: {
			name: decided?.agent.name ?? "",
			file: decided?.agent.file ?? "",
			model: decided?.model ?? null,
		},
		firstTask: first?.task ?? null,
		taskTokens,
		...(estimateFromFinished(entries, todo.todo, concurrency) ?? {
			...defined({ atLeastUsd: price && (price * taskTokens) / TOKENS_PER_PRICE }),
			advice: "Run it with --sample 20 first: cost and time are estimated from finished tasks.",
		}),
	};
}

function estimateFromFinished(
	entries: Entries,
	todo: number,
	concurrency: number,
): Required<Pick<BatchEstimate, "costUsd" | "durationMs">> | undefined {
	if (entries.size < TASKS_FOR_ESTIMATE) return undefined;
	let costUsd = 0;
	let durationMs = 0;
	for (const entry of entries.values()) {
		costUsd += entry.costUsd;
		durationMs += entry.durationMs;
	}
	const share = todo / entries.size;
	return { costUsd: costUsd * share, durationMs: Math.round((durationMs * share) / concurrency) };
}
