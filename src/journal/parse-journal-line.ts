import { ifGiven, isObject, isOneOf, isText, parseJsonObject, parseWith } from "@deputize/ground";
import { NO_USAGE } from "../contract/usage.ts";
import {
	JOURNAL_KINDS,
	type JournalProcess,
	type JournalRecord,
	type JournalStart,
} from "./journal-record.ts";

const isGivenText = ifGiven(isText);
const COMMON = {
	kind: isOneOf(...JOURNAL_KINDS),
	...{ name: isText, time: isText, summary: isText },
	...{ cwd: isGivenText, model: isGivenText, runId: isGivenText, sessionId: isGivenText },
	...{
		parent: isGivenText,
		batch: isGivenText,
		code: isGivenText,
		cause: isGivenText,
		startedAt: isGivenText,
	},
};

/** Undefined for a line that is torn or not ours. */
export function parseJournalLine(line: string): JournalRecord | JournalStart | undefined {
	const fields = line === "" ? undefined : parseJsonObject(line);
	if (fields?.["event"] !== "start")
		return parseWith<JournalRecord>(fields, {
			...COMMON,
			ok: isOneOf(true, false),
			durationMs: Number.isFinite,
			usage: ifGiven(isUsage),
			calls: ifGiven((calls) => isObject(calls) && Object.values(calls).every(Number.isSafeInteger)),
		});
	return parseWith<JournalStart>(fields, {
		...COMMON,
		event: isOneOf("start"),
		runId: isText,
		process: isRunningProcess,
	});
}

export function isJournalStart(record: JournalRecord | JournalStart): record is JournalStart {
	return "event" in record;
}

function isRunningProcess(value: unknown): boolean {
	return parseWith<JournalProcess>(value, { pid: Number.isSafeInteger, host: isText }) !== undefined;
}

function isUsage(usage: unknown): boolean {
	return isObject(usage) && Object.keys(NO_USAGE).every((name) => Number.isFinite(usage[name]));
}
