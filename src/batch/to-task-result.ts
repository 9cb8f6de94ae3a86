import { asObject, asText, defined } from "@deputize/ground";
import type { DelegationResult } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import type { TaskError, TaskErrorCause, TaskResult } from "./batch-record.ts";

/** A delegation's result without repetition: the full one contains the answer three times. */
export function toTaskResult(result: DelegationResult, durationMs: number): TaskResult {
	const { details } = result;
	const single = details.results[0];
	const { cost, ...usage } = single?.usage ?? NO_USAGE;
	const data = details.finalized?.data;
	return defined({
		status: result.isError ? ("failed" as const) : ("done" as const),
		answer: data === undefined ? single?.output : undefined,
		data,
		error: result.isError ? toTaskError(result) : undefined,
		usage,
		costUsd: cost,
		durationMs: Math.round(single?.durationMs ?? durationMs),
		model: asText(asObject(single)["model"]) || undefined,
		sessionId: single?.sessionFile === undefined ? undefined : details.sessionId,
	}) as TaskResult;
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
