import { dirname, join } from "node:path";
import { appendToFile, groupBy, isText, parseJsonObject, parseWith, readIfThere } from "@deputize/ground";
import { sumTokens } from "../contract/usage.ts";
import type { JournalRecord } from "./journal-record.ts";
import { isJournalStart, parseJournalLine } from "./parse-journal-line.ts";

/** What the runs of one day took. */
export interface DailySum {
	/** In this machine's time zone, as `2026-01-31`. */
	readonly day: string;
	readonly runs: number;
	readonly failed: number;
	readonly tokens: number;
	readonly costUsd: number;
	readonly durationMs: number;
}

const NAME = "journal-days.jsonl";

/** Before the runs of a full file are forgotten: the sums of their days, appended. A day may come more than once. */
export function keepDailySums(file: string): void {
	const ends = (readIfThere(file) ?? "").split("\n").flatMap((line) => {
		const record = parseJournalLine(line);
		return record === undefined || isJournalStart(record) || record.kind !== "subagent" ? [] : [record];
	});
	const ran = ends.filter(({ runId }) => runId !== undefined);
	const days = [...groupBy(ran, (record) => toDay(record.startedAt ?? record.time))];
	const lines = days.map(([day, records]) => `${JSON.stringify(sumRecords(day, records))}\n`);
	if (lines.length > 0) appendToFile(join(dirname(file), NAME), lines.join(""));
}

function sumRecords(day: string, records: readonly JournalRecord[]): DailySum {
	const sum = (amount: (record: JournalRecord) => number) =>
		records.reduce((total, record) => total + amount(record), 0);
	return {
		day,
		runs: records.length,
		failed: records.filter(({ ok, cause }) => !ok && cause !== "cancelled").length,
		tokens: sum(({ usage }) => (usage ? sumTokens(usage) : 0)),
		costUsd: sum(({ usage }) => usage?.cost ?? 0),
		durationMs: sum(({ durationMs }) => durationMs),
	};
}

export function readDailySums(agentDirectory: string): readonly DailySum[] {
	return (readIfThere(join(agentDirectory, "deputize", NAME)) ?? "").split("\n").flatMap((line) => {
		const number = Number.isFinite;
		const figures = { runs: number, failed: number, tokens: number, costUsd: number, durationMs: number };
		return parseWith<DailySum>(parseJsonObject(line), { day: isText, ...figures }) ?? [];
	});
}

export function toDay(time: string): string {
	const date = new Date(time);
	if (Number.isNaN(date.getTime())) return "unknown";
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
