import { isObject, type JsonObject, parseJsonObject } from "@deputize/ground";
import { NO_USAGE } from "../contract/usage.ts";
import { JOURNAL_KINDS, type JournalRecord, type JournalStart } from "./journal-record.ts";

/** Undefined for a line that is torn or not ours. */
export function parseJournalLine(line: string): JournalRecord | JournalStart | undefined {
	const fields = line === "" ? undefined : parseJsonObject(line);
	if (fields === undefined || !hasCommonFields(fields)) return undefined;
	if (fields["event"] === "start") return isStart(fields) ? (fields as unknown as JournalStart) : undefined;
	return isEnd(fields) ? (fields as unknown as JournalRecord) : undefined;
}

export function isJournalStart(record: JournalRecord | JournalStart): record is JournalStart {
	return "event" in record;
}

const OPTIONAL_TEXTS = [
	"cwd",
	"model",
	"runId",
	"sessionId",
	"parent",
	"batch",
	"code",
	"cause",
	"startedAt",
];

function hasCommonFields(fields: JsonObject): boolean {
	return (
		JOURNAL_KINDS.some((kind) => kind === fields["kind"]) &&
		["name", "time", "summary"].every((name) => typeof fields[name] === "string") &&
		OPTIONAL_TEXTS.every((name) => fields[name] === undefined || typeof fields[name] === "string")
	);
}

function isStart({ runId, process }: JsonObject): boolean {
	return typeof runId === "string" && isObject(process) && Number.isSafeInteger(process["pid"]);
}

function isEnd({ ok, durationMs, usage }: JsonObject): boolean {
	return typeof ok === "boolean" && Number.isFinite(durationMs) && (usage === undefined || isUsage(usage));
}

function isUsage(usage: unknown): boolean {
	return isObject(usage) && Object.keys(NO_USAGE).every((name) => Number.isFinite(usage[name]));
}
