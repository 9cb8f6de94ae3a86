import type { BatchFiles } from "../batch-files.ts";
import type { BatchTask } from "../batch-record.ts";
import { type BatchState, readBatchState, type UnfinishedCost, writeBatchState } from "../batch-state.ts";
import type { Entries } from "./create-entry-table.ts";

/** What a batch was ever charged: its lines, and what no line says. */
export function sumSpent(entries: Entries, state: BatchState | undefined): number {
	let costUsd = sumUnlisted(entries, state);
	for (const entry of entries.values()) costUsd += entry.costUsd;
	return costUsd;
}

function sumUnlisted(entries: Entries, state: BatchState | undefined): number {
	// A line that was written meanwhile contains the cost of its attempt.
	const hasLine = (key: string, attempt: number): boolean => (entries.get(key)?.attempt ?? 0) >= attempt;
	return Object.entries(state?.unfinished ?? {}).reduce(
		(sum, [key, { attempt, costUsd }]) => (hasLine(key, attempt) ? sum : sum + costUsd),
		state?.unlistedUsd ?? 0,
	);
}

/**
 * Money that is spent before its task has a line, or whose line goes. It is in the state file as soon as it is known, so
 * that neither a killed process nor an edited input makes the budget forget it.
 */
export function openSpending(files: BatchFiles | undefined, entries: Entries) {
	const earlier = files && readBatchState(files);
	let unlistedUsd = sumUnlisted(entries, earlier);
	const unfinished = new Map<string, UnfinishedCost>();
	const save = (): void => {
		const state = files && readBatchState(files);
		if (state) writeBatchState(files, { ...state, unlistedUsd, unfinished: Object.fromEntries(unfinished) });
	};
	// The next attempt may get a line with the same number, which says nothing about this cost.
	if (Object.keys(earlier?.unfinished ?? {}).length > 0) save();
	const addUnlisted = (costUsd: number): void => {
		unlistedUsd += costUsd;
		if (costUsd > 0) save();
	};
	return {
		/** What a task has cost until now. */
		noteRunning({ key, attempt = 1 }: BatchTask, costUsd: number): void {
			if (costUsd <= (unfinished.get(key)?.costUsd ?? 0)) return;
			unfinished.set(key, { attempt, costUsd });
			save();
		},
		/** The line of the task says it from now on. */
		noteLine({ key }: Pick<BatchTask, "key">): void {
			unfinished.delete(key);
		},
		/** Nothing will say it. */
		noteGivenUp({ key }: BatchTask, costUsd: number): void {
			unfinished.delete(key);
			addUnlisted(costUsd);
		},
		addUnlisted,
		/** Removes lines. Until they are gone it is they that say what they cost. */
		async whileReplacing(isReplaced: (id: string, key: string) => boolean, remove: () => Promise<void>) {
			const replaced = new Map<string, UnfinishedCost>();
			for (const [key, { id, attempt, costUsd }] of entries)
				if (costUsd > 0 && isReplaced(id, key)) replaced.set(key, { attempt, costUsd });
			for (const [key, cost] of replaced) unfinished.set(key, cost);
			if (replaced.size > 0) save();
			await remove();
			for (const key of replaced.keys()) unfinished.delete(key);
			addUnlisted([...replaced.values()].reduce((sum, { costUsd }) => sum + costUsd, 0));
		},
	};
}

export type Spending = ReturnType<typeof openSpending>;
