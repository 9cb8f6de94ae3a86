import { sleep } from "@deputize/ground";
import type { ExecuteTask, TaskErrorCause, TaskOutcome } from "./batch-record.ts";

/** What passes by itself, often at once: the connection, or the process of this one task. */
const PASSING_KINDS = ["network", "crashed"];
const FIRST_SERVER_ERROR = 500;

function passesByItself(cause: TaskErrorCause | undefined): boolean {
	return (
		cause !== undefined && (PASSING_KINDS.includes(cause.kind) || (cause.status ?? 0) >= FIRST_SERVER_ERROR)
	);
}

const FIRST_DELAY_MS = 1000;
const DELAY_FACTOR = 5;

/** Runs a task again, after a longer pause each time, before such a failure counts. What all tries cost is its cost. */
export function withRetries(execute: ExecuteTask, maxRetries: number): ExecuteTask {
	return async (task, context) => {
		let spentUsd = context.spentUsd;
		const withEarlier = (outcome: TaskOutcome): TaskOutcome =>
			outcome.kind === "finished"
				? outcome
				: { ...outcome, costUsd: outcome.costUsd + spentUsd - context.spentUsd };
		for (let retries = 0; ; retries += 1) {
			const outcome = await execute(task, { ...context, spentUsd });
			if (outcome.kind !== "finished") return withEarlier(outcome);
			const { result } = outcome;
			const counted = retries === 0 ? outcome : { ...outcome, result: { ...result, retries } };
			if (retries >= maxRetries || result.status === "done" || !passesByItself(result.error?.cause))
				return counted;
			const delayMs = FIRST_DELAY_MS * DELAY_FACTOR ** retries;
			spentUsd = result.costUsd;
			// Tasks that failed together must not all come back together.
			if (!(await sleep(delayMs * (1 + Math.random() / 2), context.signal)))
				return withEarlier({ kind: "stopped", costUsd: 0 });
		}
	};
}
