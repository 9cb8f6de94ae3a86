import { cutText, defined, finishSteps, formatCount } from "@deputize/ground";
import { readRunDetail } from "../runs/read-run-detail.ts";
import { readRuns } from "../runs/read-runs.ts";
import type { RunSummary } from "../runs/run-summary.ts";
import type { RunDetail, TranscriptEntry, TranscriptTurn } from "../runs/transcript.ts";
import type { CommandContext } from "./command-context.ts";
import { formatDuration, formatUsage } from "./format-figures.ts";
import {
	fail,
	info,
	type Report,
	type ReportLine,
	type ReportSection,
	type ReportStatus,
	sectionIfAny,
	warn,
} from "./report.ts";

/** Of a tool's answer; `--json` and the page have more. */
const RESULT_LINES = 12;
/** Where what comes next matters more. */
const FOLLOWED_RESULT_LINES = 3;
const ARGUMENT_CHARS = 400;

type Place = Pick<CommandContext, "surroundings">;

/** The run with this id, or the newest of the session with this id. The beginning of an id is enough when it is unique. */
export function findRun(id: string, { surroundings }: Place): RunSummary | string {
	const runs = readRuns(surroundings.agentDirectory);
	const wanted = id.toLowerCase();
	const exact = runs.find((run) => run.runId === wanted || run.sessionId === wanted);
	if (exact) return exact;
	const near = runs.filter(
		({ runId, sessionId }) => wanted !== "" && (runId.startsWith(wanted) || sessionId?.startsWith(wanted)),
	);
	const sessions = new Set(near.map(({ sessionId, runId }) => sessionId ?? runId));
	if (near[0] && sessions.size === 1) return near[0];
	return near.length > 0
		? `${JSON.stringify(id)} is the beginning of ${formatCount(near.length, "run")}: ${near.map((run) => (run.runId.startsWith(wanted) ? run.runId : `${run.runId} (session ${run.sessionId})`)).join(", ")}.`
		: `The journal knows no run and no session ${JSON.stringify(id)}. deputize logs lists those it knows.`;
}

/** Everything about one run: what it was asked, what it did, what came of it and what each turn took. */
export function showRun(runId: string, { surroundings }: Place): Report | undefined {
	const detail = finishSteps(readRunDetail(surroundings, runId));
	if (detail === undefined) return undefined;
	return {
		title: describeRunTitle(detail),
		sections: [
			describeTask(detail),
			...sectionIfAny("What came of it", listEndLines(detail)),
			{ heading: "What it did", lines: listStepLines(detail, RESULT_LINES) },
			...listFactSections(detail),
		],
		data: detail,
	};
}

/**
 * A run in the order in which it happens, for somebody who looks at its end: what comes next comes last. What it took
 * and where it is are apart.
 */
export function showRunSteps(
	runId: string,
	{ surroundings }: Place,
): { readonly transcript: Report; readonly facts: Report } | undefined {
	const detail = finishSteps(readRunDetail(surroundings, runId));
	if (detail === undefined) return undefined;
	const title = describeRunTitle(detail);
	const steps = { heading: "What it did", lines: listStepLines(detail, FOLLOWED_RESULT_LINES) };
	const end = sectionIfAny("What came of it", listEndLines(detail));
	return {
		transcript: { title, sections: [describeTask(detail), steps, ...end], data: detail },
		facts: { title, sections: listFactSections(detail), data: detail },
	};
}

function describeRunTitle({ agent, state, durationMs, usage, model }: RunDetail): string {
	const facts = [
		state === "lost" ? "lost: the process that ran it is gone" : state,
		...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
		...(usage ? formatUsage(usage) : []),
		...(model ? [model] : []),
	];
	return `${agent}: ${facts.join(" · ")}`;
}

function describeTask({ task }: RunDetail): ReportSection {
	return { heading: "Task", lines: [{ text: task ?? "(not kept)" }] };
}

function listFactSections(detail: RunDetail): readonly ReportSection[] {
	return [
		...sectionIfAny("Turns", detail.turns.map(renderTurnFigures)),
		{ heading: "Where", lines: listFacts(detail) },
	];
}

function listStepLines(detail: RunDetail, resultLines: number): readonly ReportLine[] {
	const steps = detail.entries.flatMap((entry) => describeStep(entry, resultLines));
	return steps.length > 0 ? steps : [info("Nothing was kept of it.")];
}

function describeStep(entry: TranscriptEntry, resultLines: number): readonly ReportLine[] {
	switch (entry.kind) {
		case "task":
			return [];
		case "thinking":
			return [info(`thinking\n${entry.text}`)];
		case "text":
			return [{ text: entry.isOpen ? `${entry.text}…` : entry.text }];
		case "note":
			return [warn(entry.text)];
		case "call":
			return [describeCall(entry, resultLines)];
	}
}

function describeCall(call: Extract<TranscriptEntry, { kind: "call" }>, resultLines: number): ReportLine {
	const { endedAt, isError, result } = call;
	const time = endedAt === undefined ? "running" : formatDuration(Math.max(0, endedAt - call.at));
	const args = cutText(JSON.stringify(call.args), ARGUMENT_CHARS);
	const status: ReportStatus = endedAt === undefined ? "info" : isError ? "fail" : "ok";
	const lines = (result ?? "").trimEnd().split("\n");
	const shown = lines.slice(0, resultLines).join("\n");
	const more = lines.length - resultLines;
	const answer = [...(shown ? [shown] : []), ...(more > 0 ? [`… ${formatCount(more, "more line")}`] : [])];
	return { status, text: [`${call.name} ${args} · ${time}`, ...answer].join("\n") };
}

function listEndLines({ error, output }: RunDetail): readonly ReportLine[] {
	return [...(error ? [fail(error)] : []), ...(output ? [{ text: output }] : [])];
}

function renderTurnFigures({ at, endedAt, model, usage }: TranscriptTurn, index: number): ReportLine {
	const facts = [
		formatDuration(endedAt - at),
		...formatUsage({ ...usage, turns: 0 }),
		...(model ? [model] : []),
	];
	return { text: `${index + 1}: ${facts.join(" · ")}` };
}

function listFacts(detail: RunDetail): readonly ReportLine[] {
	const facts = defined({
		run: detail.runId,
		session: detail.sessionId,
		project: detail.cwd,
		started: detail.startedAt,
		parent: detail.parent,
		batch: detail.batch,
		tools: detail.tools?.join(", "),
		runtime: detail.runtime,
	});
	return Object.entries(facts).map(([name, value]) => ({ text: `${name}: ${value}` }));
}
