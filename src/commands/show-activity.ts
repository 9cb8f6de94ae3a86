import { formatCount, groupBy } from "@deputize/ground";
import { addUsage, NO_USAGE, type Usage } from "../contract/usage.ts";
import type { JournalKind, JournalRecord } from "../journal/journal-record.ts";
import { readJournal } from "../journal/read-journal.ts";
import type { CommandContext } from "./command-context.ts";
import { describeFilter, explainNothing, filterJournal, type JournalFilter } from "./filter-journal.ts";
import { formatCost, formatDuration, formatTokens } from "./format-figures.ts";
import { info, type Report, type ReportLine, type ReportSection, sectionIfAny } from "./report.ts";

interface ActivityTotals {
	readonly name: string;
	readonly kind: JournalKind;
	readonly runs: number;
	readonly succeeded: number;
	/** Stopped by the person who asked: neither a success nor a failure. */
	readonly cancelled: number;
	/** Calls for which this machine has no language server: no failure of the tool. */
	readonly unavailable: number;
	readonly medianMs: number;
	readonly p95Ms: number;
	readonly usage: Usage;
	/** How often each error code came. */
	readonly codes: Readonly<Record<string, number>>;
}

/** Totals per agent and tool over everything that is still in the journal. */
export function showActivity(context: CommandContext, narrow: JournalFilter = {}): Report {
	const all = readJournal(context.surroundings.agentDirectory);
	const records = filterJournal(all, narrow, context);
	const delegations = records.filter((record) => record.kind === "subagent");
	const nothing = explainNothing(all, describeFilter(narrow));
	const agents = summarize(delegations.filter((record) => record.runId !== undefined));
	// Nothing ran: a misspelled name is no agent, and says nothing about the one that was meant.
	const refused = countCodes(delegations.filter((record) => record.runId === undefined));
	const refusals = sectionIfAny(
		"Refused before anything ran",
		listCodes(refused).map((text) => info(text)),
	);
	const tools = summarize(records.filter((record) => record.kind !== "subagent"));
	const calls = sumCalls(delegations);
	const cost = agents.reduce((sum, agent) => sum + agent.usage.cost, 0);
	return {
		title: ["Activity", describeFilter(narrow)]
			.filter(Boolean)
			.join(" ")
			.concat(`: ${[formatCount(records.length, "record"), ...formatCost(cost)].join(", ")}`),
		sections: [
			toSection("Agents", agents.map(toActivityLine(agents)), nothing),
			...refusals,
			toSection("Tools", [...tools.map(toActivityLine(tools)), ...listCalls(calls, tools)], nothing),
		],
		data: { agents, tools, calls, refused, records: records.length, cost },
	};
}

/** Every call that runs made. Those of web, document and language server tools have lines of their own as well. */
function sumCalls(runs: readonly JournalRecord[]): Readonly<Record<string, number>> {
	const sums = new Map<string, number>();
	for (const [name, count] of runs.flatMap(({ calls }) => Object.entries(calls ?? {})))
		sums.set(name, (sums.get(name) ?? 0) + count);
	return Object.fromEntries([...sums].sort(([, left], [, right]) => right - left));
}

function listCalls(
	calls: Readonly<Record<string, number>>,
	noted: readonly ActivityTotals[],
): readonly ReportLine[] {
	return Object.entries(calls)
		.filter(([name]) => !noted.some((total) => total.name === name))
		.map(([name, count]) => info(`${name}: ${formatCount(count, "call")}`));
}

function summarize(records: readonly JournalRecord[]): readonly ActivityTotals[] {
	const groups = groupBy(records, (record) => `${record.kind} ${record.name}`);
	return [...groups.values()]
		.map(toTotals)
		.sort((left, right) => right.runs - left.runs || (left.name < right.name ? -1 : 1));
}

function toTotals(records: readonly JournalRecord[]): ActivityTotals {
	const [first] = records;
	const usage = records.reduce((sum, record) => addUsage(sum, record.usage ?? NO_USAGE), NO_USAGE);
	const times = records.map((record) => record.durationMs).sort((left, right) => left - right);
	return {
		name: first?.name ?? "",
		kind: first?.kind ?? "subagent",
		runs: records.length,
		succeeded: records.filter((record) => record.ok).length,
		cancelled: records.filter(wasCancelled).length,
		unavailable: records.filter((record) => record.code === NO_SERVER).length,
		medianMs: quantile(times, 0.5),
		p95Ms: quantile(times, 0.95),
		usage,
		codes: countCodes(records.filter((record) => !wasCancelled(record))),
	};
}

const NO_SERVER = "LSP_SERVER_NOT_FOUND";

function wasCancelled(record: JournalRecord): boolean {
	return record.cause === "cancelled";
}

function countCodes(records: readonly JournalRecord[]): Readonly<Record<string, number>> {
	const groups = groupBy(records, (record) => record.code ?? "");
	groups.delete("");
	return Object.fromEntries([...groups].map(([code, group]) => [code, group.length]));
}

function listCodes(codes: Readonly<Record<string, number>>): readonly string[] {
	return Object.entries(codes).map(([code, count]) => `${code} ×${count}`);
}

function quantile(sorted: readonly number[], share: number): number {
	return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const BAR_CELLS = 20;

function toSection(heading: string, lines: readonly ReportLine[], nothing: string): ReportSection {
	return { heading, lines: lines.length > 0 ? lines : [info(nothing)] };
}

const toActivityLine = (totals: readonly ActivityTotals[]): ((total: ActivityTotals) => ReportLine) => {
	const most = Math.max(1, ...totals.map((total) => total.runs));
	return (total) => renderTotals(total, most);
};

function renderTotals(total: ActivityTotals, most: number): ReportLine {
	const judged = total.runs - total.cancelled - total.unavailable;
	const share = judged === 0 ? undefined : Math.round((100 * total.succeeded) / judged);
	const bar = "█".repeat(Math.max(1, Math.round((BAR_CELLS * total.runs) / most))).padEnd(BAR_CELLS, "░");
	const figures = [
		formatCount(total.runs, "run"),
		...(share === undefined ? [] : [`${share} % succeeded`]),
		...(total.cancelled > 0 ? [`${total.cancelled} cancelled`] : []),
		`median ${formatDuration(total.medianMs)}`,
		`p95 ${formatDuration(total.p95Ms)}`,
		...formatTokens(total.usage),
		...formatCost(total.usage.cost),
		...listCodes(total.codes),
	];
	return { status: toStatus(share), text: `${bar} ${total.name}\n${figures.join(" · ")}` };
}

function toStatus(share: number | undefined): NonNullable<ReportLine["status"]> {
	if (share === undefined) return "info";
	if (share === 100) return "ok";
	return share >= 50 ? "warn" : "fail";
}
