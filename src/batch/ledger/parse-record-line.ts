import { isObject } from "../../json/json-values.ts";
import { parseJsonObject } from "../../json/parse-json.ts";
import type { BatchRecord } from "../batch-record.ts";

/** A line of the output file, or undefined when it is not one of ours. Unknown fields are kept. */
export function parseRecordLine(line: string): BatchRecord | undefined {
	const fields = parseJsonObject(line);
	if (fields === undefined) return undefined;
	const { id, key, agent, status, costUsd, durationMs, usage } = fields;
	const isRecord =
		[id, key, agent].every((value) => typeof value === "string") &&
		(status === "done" || status === "failed") &&
		Number.isFinite(costUsd) &&
		Number.isFinite(durationMs) &&
		isObject(usage);
	return isRecord ? (fields as unknown as BatchRecord) : undefined;
}
