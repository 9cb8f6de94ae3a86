import type { BatchOptions } from "./batch-options.ts";
import type { BatchTask } from "./batch-record.ts";
import type { LedgerEntry } from "./ledger/read-entries.ts";

/** What a run has to do, in the order of the input: missing tasks, and failed ones when they are to run again. */
export function selectTodo(
	tasks: readonly BatchTask[],
	entries: ReadonlyMap<string, LedgerEntry>,
	{ retryFailed, limit }: Pick<BatchOptions, "retryFailed" | "limit">,
): readonly BatchTask[] {
	const todo = tasks.filter(({ key }) => {
		const entry = entries.get(key);
		return entry === undefined || (entry.status === "failed" && retryFailed === true);
	});
	return limit === undefined ? todo : todo.slice(0, limit);
}
