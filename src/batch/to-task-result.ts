import { deflateRawSync } from "node:zlib";
import { asObject, asText, defined } from "@deputize/ground";
import type { DelegationResult, ResultChanges } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import type { TaskChanges, TaskError, TaskErrorCause, TaskResult } from "./batch-record.ts";

export const MAX_NAMED_PATHS = 50;

/** A delegation's result without repetition: the full one contains the answer three times. */
export function toTaskResult(result: DelegationResult, durationMs: number, patch?: Buffer): TaskResult {
	const { details } = result;
	const single = details.results[0];
	const { cost, ...usage } = single?.usage ?? NO_USAGE;
	const data = details.finalized?.data;
	const lost = findLostChanges(result);
	const error = result.isError ? toTaskError(result) : lost;
	return defined({
		status: error === undefined ? ("done" as const) : ("failed" as const),
		answer: data === undefined ? single?.output : undefined,
		data,
		error,
		changes: details.changes && toTaskChanges(details.changes, patch),
		usage,
		costUsd: cost,
		durationMs: Math.round(single?.durationMs ?? durationMs),
		model: asText(asObject(single)["model"]) || undefined,
		sessionId: single?.sessionFile === undefined ? undefined : details.sessionId,
	}) as TaskResult;
}

/** A task is not done when what it changed is not there. */
function findLostChanges({ details: { changes } }: DelegationResult): TaskError | undefined {
	return changes?.problem === undefined
		? undefined
		: { code: "SUBAGENT_FAILED", message: changes.problem, cause: { kind: "changes" } };
}

function toTaskChanges(
	{ state, id, files, added, removed }: ResultChanges,
	patch: Buffer | undefined,
): TaskChanges | undefined {
	if (files.length === 0) return undefined;
	const paths = files.slice(0, MAX_NAMED_PATHS).map(({ path }) => path);
	return {
		...{ files: files.length, added, removed, paths },
		...defined({
			id: state === "handed-over" ? undefined : id,
			packed: patch && deflateRawSync(patch).toString("base64"),
		}),
	};
}

function toTaskError({ details: { error } }: DelegationResult): TaskError {
	return defined({
		code: error?.code ?? "SUBAGENT_FAILED",
		message: error?.message ?? "The delegation failed and gave no reason.",
		cause: parseCause(error),
	}) as TaskError;
}

/** Tolerant: a refusal before anything ran has no cause. */
export function parseCause(error: unknown): TaskErrorCause | undefined {
	const { kind, status, retryAfterMs } = asObject(asObject(error)["cause"]);
	if (typeof kind !== "string") return undefined;
	return defined({
		kind,
		status: typeof status === "number" ? status : undefined,
		retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : undefined,
	}) as TaskErrorCause;
}
