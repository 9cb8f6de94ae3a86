import { formatCount } from "@deputize/ground";
import type { JournalKind, JournalRecord } from "../journal/journal-record.ts";
import { readJournal } from "../journal/read-journal.ts";
import { listLostRecords } from "../runs/list-lost-records.ts";
import type { CommandContext } from "./command-context.ts";
import { describeFilter, explainNothing, filterJournal, type JournalFilter } from "./filter-journal.ts";
import { formatDuration, formatUsage } from "./format-figures.ts";
import { info, type Report, type ReportLine } from "./report.ts";

const DEFAULT_LOG_LIMIT = 20;

export interface LogRequest {
	/** None means all. */
	readonly kinds?: readonly JournalKind[];
	readonly limit?: number | undefined;
	readonly narrow?: JournalFilter | undefined;
}

/** What was done lately, newest first. */
export function showLogs(context: CommandContext, request: LogRequest): Report {
	const { kinds = [], limit = DEFAULT_LOG_LIMIT, narrow = {} } = request;
	// All kinds are read: a tool call is known by its run.
	const { agentDirectory } = context.surroundings;
	const all = [...readJournal(agentDirectory), ...listLostRecords(agentDirectory)].sort(
		(left, right) => Number(left.time < right.time) - Number(left.time > right.time),
	);
	const records = filterJournal(all, narrow, context)
		.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
		.slice(0, limit);
	const what = [kinds.length > 0 ? kinds.join(", ") : "everything", describeFilter(narrow)]
		.filter(Boolean)
		.join(" ");
	const nothing = explainNothing(
		all,
		[kinds.length > 0 ? `of ${kinds.join(", ")}` : "", describeFilter(narrow)].filter(Boolean).join(" "),
	);
	const lines = records.length > 0 ? records.map(toLogLine) : [info(nothing)];
	return {
		title: `Log: ${what}, newest ${formatCount(records.length, "record")}`,
		sections: [{ heading: "Newest first", lines }],
		data: { records },
	};
}

function toLogLine(record: JournalRecord): ReportLine {
	const head = [
		formatTime(record.time),
		record.kind === "subagent" ? record.name : `${record.kind} ${record.name}`,
		formatDuration(record.durationMs),
		...(record.usage ? formatUsage(record.usage) : []),
		...(record.model ? [record.model] : []),
		...(record.cause === "cancelled" ? ["cancelled"] : record.code ? [record.code] : []),
	].join(" · ");
	const place = [
		...(record.cwd ? [`in ${record.cwd}`] : []),
		...(record.sessionId ? [`session ${record.sessionId}`] : []),
	].join(" · ");
	const status = record.ok ? "ok" : record.cause === "cancelled" ? "info" : "fail";
	return { status, text: [head, record.summary, ...(place ? [place] : [])].join("\n") };
}

/** In the time zone of the reader, who remembers when it was. */
function formatTime(time: string): string {
	const local = new Date(time);
	if (Number.isNaN(local.getTime())) return time;
	const two = (value: number): string => String(value).padStart(2, "0");
	const day = [local.getFullYear(), two(local.getMonth() + 1), two(local.getDate())].join("-");
	return `${day} ${[local.getHours(), local.getMinutes(), local.getSeconds()].map(two).join(":")}`;
}
