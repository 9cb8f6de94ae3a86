import { ifGiven, isAmount, isObject, isOneOf, isText, parseWith } from "@deputize/ground";
import type { TaskError, TaskErrorCause } from "./batch-record.ts";

const isCause = (value: unknown): boolean => parseWith<TaskErrorCause>(value, { kind: isText }) !== undefined;

const isError = (value: unknown): boolean =>
	parseWith<TaskError>(value, { code: isText, message: isText, cause: ifGiven(isCause) }) !== undefined;

/** What a result must be that comes from a file or a queue, where others may have written. */
export const RESULT_CHECKS = {
	status: isOneOf("done", "failed"),
	costUsd: isAmount,
	durationMs: isAmount,
	usage: isObject,
	answer: ifGiven(isText),
	error: ifGiven(isError),
	model: ifGiven(isText),
	sessionId: ifGiven(isText),
};
