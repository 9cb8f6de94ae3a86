import { ifGiven, isAmount, isObject, isOneOf, isText, isTextList, parseWith } from "@deputize/ground";
import type { TaskChanges, TaskError, TaskErrorCause } from "./batch-record.ts";

const isCause = (value: unknown): boolean => parseWith<TaskErrorCause>(value, { kind: isText }) !== undefined;

const isError = (value: unknown): boolean =>
	parseWith<TaskError>(value, { code: isText, message: isText, cause: ifGiven(isCause) }) !== undefined;

const isChanges = (value: unknown): boolean =>
	parseWith<TaskChanges>(value, {
		files: isAmount,
		added: isAmount,
		removed: isAmount,
		paths: isTextList,
		patch: ifGiven(isText),
		id: ifGiven(isText),
		packed: ifGiven(isText),
	}) !== undefined;

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
	retries: ifGiven(isAmount),
	changes: ifGiven(isChanges),
};
