import {
	asObject,
	asText,
	defined,
	formatMebibytes,
	ifGiven,
	isAmount,
	isShallow,
	isText,
	parseJsonObject,
	parseWith,
} from "@deputize/ground";
import { LIMITS } from "../../contract/limits.ts";
import type { BatchTask, TaskChanges, TaskResult } from "../batch-record.ts";
import { RESULT_CHECKS } from "../result-checks.ts";
import { MAX_NAMED_PATHS, toLostError } from "../to-task-result.ts";
import type { QueuedJob } from "./queue-backend.ts";

/**
 * Everything travels as one JSON string inside the job's JSON. PostgreSQL stores jobs as jsonb, which reorders keys and
 * refuses NUL and half surrogate pairs; a result that it refuses would be computed, and paid for, again.
 */
export function packPayload(value: unknown): { readonly json: string } {
	return { json: JSON.stringify(value) };
}

/** The object inside, or an empty one when it is not ours. */
export function unpackPayload(data: unknown): Readonly<Record<string, unknown>> {
	const { json } = asObject(data);
	return typeof json === "string" ? (parseJsonObject(json) ?? {}) : {};
}

export function parseQueuedTask(data: unknown): BatchTask | undefined {
	const fields = unpackPayload(data);
	const given = parseWith<BatchTask>(fields, {
		id: isText,
		key: isText,
		agent: isText,
		task: isText,
		spentUsd: ifGiven(isAmount),
	});
	if (given === undefined) return undefined;
	const { id, key, agent, task, spentUsd } = given;
	return { id, key, agent, task, ...defined({ spentUsd }) };
}

/** What a task has cost that has no result yet, as its worker said last. */
export function readSpent(job: Pick<QueuedJob, "progress">): number {
	const { spentUsd } = asObject(job.progress);
	return isAmount(spentUsd) ? spentUsd : 0;
}

/** Half of what a line of the output may have: it says more than the result. */
const MAX_RESULT_BYTES = LIMITS.maxLineBytes / 2;

/** What a worker returns. Changes that make it longer than anybody would read are lost; what they cost is not. */
export function packResult(result: TaskResult): string {
	const text = JSON.stringify(result);
	if (result.changes === undefined || Buffer.byteLength(text) <= MAX_RESULT_BYTES) return text;
	const { changes: _, error = toLostError(TOO_LONG), ...rest } = result;
	return JSON.stringify({ ...rest, status: "failed", error } satisfies TaskResult);
}

const TOO_LONG = `What it changed is more than a worker can hand over (${formatMebibytes(MAX_RESULT_BYTES)}, compressed and with the answer). Nothing of it is kept. Make the task smaller, or run it without a queue.`;

/**
 * What a worker returned, or a failure when it is not a result, with what its task is known to have cost. Nothing but the fields of
 * a result is taken: it could name the task of another answer. What the output could not be read with again is refused, too.
 */
export function parseQueuedResult(returned: unknown, spentUsd = 0): TaskResult {
	const text = asText(returned);
	if (Buffer.byteLength(text) > MAX_RESULT_BYTES)
		return toFailedResult("The worker returned more than a result can be.", "worker_failed", spentUsd);
	const result = parseWith<TaskResult>(parseJsonObject(text), RESULT_CHECKS);
	if (result === undefined || !isShallow(result))
		return toFailedResult("The worker returned something that is not a result.", "worker_failed", spentUsd);
	const { status, answer, data, error, usage, costUsd, durationMs, model, sessionId, retries } = result;
	const changes = result.changes && pickChanges(result.changes);
	return {
		...{ status, usage, costUsd, durationMs },
		...defined({ answer, data, error, model, sessionId, retries, changes }),
	};
}

/** Where a patch is, is not for a worker to say. */
function pickChanges({ files, added, removed, paths, packed }: TaskChanges): TaskChanges {
	return { files, added, removed, paths: paths.slice(0, MAX_NAMED_PATHS), ...defined({ packed }) };
}

/** A task that no delegation could finish. */
export function toFailedResult(message: string, kind: string, costUsd = 0): TaskResult {
	return {
		status: "failed",
		error: { code: "SUBAGENT_FAILED", message, cause: { kind } },
		usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, turns: 0 },
		costUsd,
		durationMs: 0,
	};
}
