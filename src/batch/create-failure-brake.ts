import { BatchError } from "./batch-error.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchRecord } from "./batch-record.ts";
import { nameFailure } from "./ledger/ledger-entry.ts";

/** How many tasks of a run may fail: so many, or a share of all that it is to do. */
export type MaxFailures = { readonly count: number } | { readonly percent: number };

/** `20` or `5%`. `100%` lets everything fail. */
export function parseMaxFailures(text: string): MaxFailures {
	const [, number, percent] = /^(\d{1,7})(%?)$/.exec(text.trim()) ?? [];
	const value = Number(number);
	if (number !== undefined && percent === "") return { count: value };
	if (number !== undefined && value <= 100) return { percent: value };
	throw new BatchError(
		`--max-failures takes a number of tasks or a share of them, such as 20 or 5%, not ${JSON.stringify(text)}.`,
	);
}

/** What an agent says of its own task is no sign that the next one fails too. */
const OF_ONE_TASK = "reported";

/**
 * Says why a batch should stop: too many tasks failed, or the last ones all failed for the same reason. Called with every record,
 * as it comes.
 */
export function createFailureBrake(max: MaxFailures | undefined, todo: number) {
	const allowed = countAllowed(max, todo);
	const isOff = max !== undefined && "percent" in max && max.percent === 100;
	let failures = 0;
	let streak = { kind: "", length: 0 };
	return ({ error }: Pick<BatchRecord, "error">): string | undefined => {
		const kind = error === undefined ? "" : nameFailure(error);
		streak = { kind, length: kind === streak.kind ? streak.length + 1 : 1 };
		if (error === undefined || isOff) return undefined;
		failures += 1;
		if (failures > allowed)
			return `Stopping: ${failures} tasks failed, more than --max-failures allows (${allowed}).`;
		if (streak.length < BATCH_LIMITS.maxFailureStreak || kind === OF_ONE_TASK) return undefined;
		return `Stopping: the last ${streak.length} tasks all failed for one reason (${kind}): ${error.message}`;
	};
}

function countAllowed(max: MaxFailures | undefined, todo: number): number {
	if (max === undefined) return Number.POSITIVE_INFINITY;
	return "count" in max ? max.count : Math.floor((todo * max.percent) / 100);
}
