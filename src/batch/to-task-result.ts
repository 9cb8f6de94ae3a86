import { deflateRawSync } from "node:zlib";
import { asObject, asText, defined } from "@deputize/ground";
import type { DelegationResult, ResultChanges } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import type { TaskChanges, TaskError, TaskErrorCause, TaskResult } from "./batch-record.ts";

export const MAX_NAMED_PATHS = 50;

interface HandedOver {
	/** Exact, and as nothing else that leaves a machine not redacted. */
	readonly patch?: Buffer | undefined;
	/** With one of these in it, it does not leave. */
	readonly secrets: readonly string[];
}

const SECRET =
	"What it changed has a secret of the worker's environment in it, and was not handed over. Nothing of it is kept.";

/** A delegation's result without repetition: the full one contains the answer three times. */
export function toTaskResult(
	result: DelegationResult,
	durationMs: number,
	handedOver: HandedOver = { secrets: [] },
): TaskResult {
	const { details } = result;
	const single = details.results[0];
	const { cost, ...usage } = single?.usage ?? NO_USAGE;
	const data = details.finalized?.data;
	const { patch, secrets } = handedOver;
	const isTold = patch === undefined || !secrets.some((secret) => patch.includes(secret));
	const lost = isTold ? findLostChanges(result) : toLostError(SECRET);
	const error = result.isError ? toTaskError(result) : lost;
	return defined({
		status: error === undefined ? ("done" as const) : ("failed" as const),
		answer: data === undefined ? single?.output : undefined,
		data,
		error,
		changes: isTold ? details.changes && toTaskChanges(details.changes, patch) : undefined,
		usage,
		costUsd: cost,
		durationMs: Math.round(single?.durationMs ?? durationMs),
		model: asText(asObject(single)["model"]) || undefined,
		sessionId: single?.sessionFile === undefined ? undefined : details.sessionId,
	}) as TaskResult;
}

/** A task is not done when what it changed is not there. */
function findLostChanges({ details: { changes } }: DelegationResult): TaskError | undefined {
	return changes?.problem === undefined ? undefined : toLostError(changes.problem);
}

export function toLostError(message: string): TaskError {
	return { code: "SUBAGENT_FAILED", message, cause: { kind: "changes" } };
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
