import { onAbort } from "@deputize/ground";

interface BudgetOptions {
	/** Undefined: no limit. */
	readonly budgetUsd: number | undefined;
	readonly maxUsdPerTask: number | undefined;
	/** How many tasks may run before the first price is known. */
	readonly concurrency: number;
	/** What earlier runs of the batch have spent. */
	readonly spentUsd: number;
	/** The most that a task of an earlier run cost. */
	readonly dearestUsd: number | undefined;
}

/** Adding up cents leaves crumbs far smaller than any price. */
const CRUMB_USD = 1e-9;

/**
 * Money is reserved before a task starts: its own limit where there is one, else what the dearest task so far has
 * cost. Until a first price is known, only as many tasks run as may run at once.
 */
export function createBudget(options: BudgetOptions) {
	const { budgetUsd, maxUsdPerTask, concurrency } = options;
	let spentUsd = options.spentUsd;
	let dearestUsd = options.dearestUsd;
	let outstanding = 0;
	const waiting: (() => void)[] = [];
	const isCovered = (): boolean => {
		if (budgetUsd === undefined) return true;
		const reservedUsd = maxUsdPerTask ?? dearestUsd;
		if (reservedUsd === undefined) return outstanding < concurrency && spentUsd < budgetUsd;
		if (spentUsd >= budgetUsd - CRUMB_USD) return false;
		return spentUsd + (outstanding + 1) * reservedUsd <= budgetUsd + CRUMB_USD;
	};
	return {
		/** Waits until the budget covers one more task, and reserves for it. False when it never will. */
		async reserve(signal: AbortSignal): Promise<boolean> {
			while (!isCovered()) {
				if (outstanding === 0 || signal.aborted) return false;
				await new Promise<void>((resolve) => {
					const forget = onAbort(signal, resolve);
					waiting.push(() => {
						forget();
						resolve();
					});
				});
			}
			if (signal.aborted) return false;
			outstanding += 1;
			return true;
		},
		/** A task that reserved has ended, whatever came of it. */
		settle(costUsd: number): void {
			outstanding -= 1;
			spentUsd += costUsd;
			dearestUsd = Math.max(dearestUsd ?? 0, costUsd);
			for (const resume of waiting.splice(0)) resume();
		},
		spentUsd: (): number => spentUsd,
	};
}

export type Budget = ReturnType<typeof createBudget>;
