import { toOneLine } from "@deputize/ground";
import { formatDuration } from "../../../../commands/format-figures.ts";
import { NO_USAGE } from "../../../../contract/usage.ts";
import type { RunSummary } from "../../../../runs/run-summary.ts";
import { describeFigures } from "../render/describe-figures.ts";
import { drawAtWork } from "../render/draw-at-work.ts";
import { type CallState, drawCall } from "../render/draw-call.ts";
import { drawSummary } from "../render/draw-result.ts";
import { fitFacts } from "../render/fit-facts.ts";
import type { Pen } from "../render/pen.ts";
import type { SessionRun } from "../session-runs.ts";

/** An agent in the list of a session: one that this pi asked, or one that an earlier pi did in the same session. */
export interface WatchedAgent {
	readonly id: string;
	readonly agent: string;
	readonly state: "working" | "waiting" | "ended";
	readonly runId: string | undefined;
	/** Absent for those of an earlier pi. */
	readonly run?: SessionRun;
	draw(pen: Pen): readonly string[];
}

/** Working ones first, then those that wait, then those that have ended; the cards are in the same order. */
export function listWatchedAgents(
	runs: readonly SessionRun[],
	earlier: readonly RunSummary[],
): readonly WatchedAgent[] {
	const here = runs.map(toWatchedRun);
	const known = new Set(here.map(({ runId }) => runId));
	const past = earlier.filter(({ runId }) => !known.has(runId)).map(toPastAgent);
	const all = [...past, ...here];
	return ORDER.flatMap((state) => all.filter((agent) => agent.state === state));
}

const ORDER: readonly WatchedAgent["state"][] = ["working", "waiting", "ended"];

const LIST_LINES = 2;

export function readRunId({ result, update }: SessionRun): string | undefined {
	return result?.details.runId ?? update?.details.runId;
}

function toWatchedRun(run: SessionRun): WatchedAgent {
	const { id, agent, result, update } = run;
	const isWaiting = update?.details.streaming?.waiting;
	return {
		id,
		agent,
		run,
		runId: readRunId(run),
		state: result ? "ended" : isWaiting ? "waiting" : "working",
		draw: (pen) => {
			if (!result) return drawAtWork(run, pen, LIST_LINES);
			const { details, isError } = result;
			return [
				...drawCall({ ...run, state: isError ? "failure" : "success" }, false, pen),
				pen.fit(`   ${drawSummary(details, isError, pen)}`),
			];
		},
	};
}

const CALL_STATES: Readonly<Record<RunSummary["state"], CallState>> = {
	running: "running",
	done: "success",
	failed: "failure",
	cancelled: "failure",
	lost: "lost",
};

function toPastAgent(past: RunSummary): WatchedAgent {
	const { runId, agent, task = "", state } = past;
	return {
		id: `run-${runId}`,
		agent,
		runId,
		state: state === "running" ? "working" : "ended",
		draw: (pen) => [
			...drawCall({ agent, task, state: CALL_STATES[state] }, false, pen),
			pen.fit(`   ${pen.theme.fg("muted", describePast(past, pen))}`),
		],
	};
}

function describePast(past: RunSummary, pen: Pen): string {
	if (past.state === "running") return "at work in another pi";
	if (past.state === "lost") return "ended with its pi; Enter shows what it had written";
	if (past.error) return toOneLine(past.error);
	const facts = describeFigures({
		state: past.state,
		elapsed: past.durationMs === undefined ? "" : formatDuration(past.durationMs),
		turn: "",
		usage: past.usage ?? NO_USAGE,
		toolCalls: 0,
		model: past.model,
	});
	return fitFacts(
		facts.filter(({ text }) => text !== ""),
		pen.width,
		pen,
	);
}
