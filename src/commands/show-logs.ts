import type { JournalKind, JournalRecord } from "../journal/journal-record.ts";
import { readJournal } from "../journal/read-journal.ts";
import type { CommandContext } from "./command-context.ts";
import { formatCost, formatDuration, formatTokens } from "./format-figures.ts";
import type { Report, ReportLine } from "./report.ts";

export const DEFAULT_LOG_LIMIT = 20;

/** What was done lately, newest first. */
export function showLogs(
	context: CommandContext,
	options: { readonly kinds: readonly JournalKind[]; readonly limit: number },
): Report {
	const records = readJournal(context.surroundings.agentDirectory, options);
	const what = options.kinds.length > 0 ? options.kinds.join(", ") : "everything";
	return {
		title: `Log: ${what}, the newest ${records.length}`,
		sections: [
			{
				heading: "Newest first",
				lines:
					records.length > 0
						? records.map(toLine)
						: [{ status: "info", text: "Nothing has been recorded yet." }],
			},
		],
		data: { records },
	};
}

function toLine(record: JournalRecord): ReportLine {
	const usage = record.usage
		? [`${record.usage.turns} turns`, ...formatTokens(record.usage), ...formatCost(record.usage.cost)]
		: [];
	const head = [
		record.time.replace("T", " ").slice(0, 19),
		record.kind === "subagent" ? record.name : `${record.kind} ${record.name}`,
		formatDuration(record.durationMs),
		...usage,
		...(record.code ? [record.code] : []),
	].join(" · ");
	const session = record.sessionId ? `\nsession ${record.sessionId}` : "";
	return { status: record.ok ? "ok" : "fail", text: `${head}\n${record.summary}${session}` };
}
