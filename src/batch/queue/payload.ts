import { asObject, parseJsonObject } from "@deputize/ground";
import type { BatchTask, TaskResult } from "../batch-record.ts";

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
	const { id, key, agent, task } = unpackPayload(data);
	const isTask = [id, key, agent, task].every((value) => typeof value === "string");
	return isTask ? ({ id, key, agent, task } as BatchTask) : undefined;
}

/** What a worker returned, or a failure when it is not a result. */
export function parseQueuedResult(returned: unknown): TaskResult {
	const fields = typeof returned === "string" ? parseJsonObject(returned) : undefined;
	const isResult =
		(fields?.["status"] === "done" || fields?.["status"] === "failed") &&
		Number.isFinite(fields["costUsd"]) &&
		Number.isFinite(fields["durationMs"]);
	return isResult
		? (fields as unknown as TaskResult)
		: toFailedResult("The worker returned something that is not a result.", "worker_failed");
}

/** A task that no delegation could finish. */
export function toFailedResult(message: string, kind: string): TaskResult {
	return {
		status: "failed",
		error: { code: "SUBAGENT_FAILED", message, cause: { kind } },
		usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, turns: 0 },
		costUsd: 0,
		durationMs: 0,
	};
}
