import { toOneLine } from "@deputize/ground";
import { formatDuration } from "../../../../commands/format-figures.ts";
import type { StreamingDisplay } from "../../../../contract/result.ts";
import { NO_USAGE } from "../../../../contract/usage.ts";
import { describeActivity } from "../../../../delegation/render-activity.ts";
import { describeFigures } from "./describe-figures.ts";
import { drawSoFar } from "./draw-changes.ts";
import { drawText, drawToolCall, type ToolCallItem } from "./draw-step.ts";
import { type Fact, fitFacts } from "./fit-facts.ts";
import type { Pen } from "./pen.ts";

const TEXT_LINES = 3;
const INDENT = 3;

export interface LiveRun {
	readonly streaming: StreamingDisplay | undefined;
	readonly text: string;
	/** Milliseconds since 1970, of both. */
	readonly startedAt: number;
	readonly now: number;
}

/** The most lines that `drawRunning` draws. */
export const RUNNING_LINES = 3 + TEXT_LINES;

/** A run in progress: what it does, its newest call, and the end of what it wrote. Only as many lines as there is to say. */
export function drawRunning(run: LiveRun, pen: Pen, maxLines: number = RUNNING_LINES): readonly string[] {
	if (run.streaming?.waiting) return [drawProgress(run, pen)].slice(0, maxLines);
	const call = drawNewestCall(run, pen);
	const soFar = drawSoFar(run.streaming?.layer, pen);
	// In the last of few lines: what it is doing now.
	if (maxLines <= 2) {
		const words = drawTail(run.text, pen, 1);
		const isWriting = !run.streaming?.currentTool && words.length > 0;
		const newest = soFar.length > 0 ? soFar : isWriting ? words : call;
		return [drawProgress(run, pen), ...newest].slice(0, maxLines);
	}
	const above = [drawProgress(run, pen), ...soFar, ...call];
	return [...above, ...drawTail(run.text, pen, Math.min(TEXT_LINES, maxLines - above.length))];
}

/** The steps so far, the newest last, and below them what it does now: everything that changes is at the end. */
export function drawRunningExpanded(run: LiveRun, pen: Pen, maxLines: number): readonly string[] {
	const items = run.streaming?.displayItems ?? [];
	const steps = items.flatMap((item) =>
		item.type === "text" ? drawText(item.text, pen) : [drawToolCall(item, item.durationMs, pen)],
	);
	const below = [...drawSoFar(run.streaming?.layer, pen), drawProgress(run, pen)];
	const shown = maxLines <= below.length ? [] : steps.slice(-(maxLines - below.length));
	return [...shown, ...below].slice(-Math.max(1, maxLines));
}

/** The state in a few words, where there is only the line of the call itself. */
export function describeRunning(run: LiveRun, columns: number, pen: Pen): string {
	const facts = [
		{ text: toOneLine(describeActivity(run.streaming, run.now)), weight: 2 },
		...(run.streaming?.waiting ? [] : [{ text: describeElapsed(run), weight: 1 }]),
	];
	return fitFacts(facts, columns, pen);
}

function drawProgress(run: LiveRun, pen: Pen): string {
	const color = run.streaming?.activity === "retrying" ? "warning" : "muted";
	return pen.fit(`   ${pen.theme.fg(color, fitFacts(listProgress(run), pen.width - INDENT, pen))}`);
}

/** What a run is doing and what it took so far. */
export function listProgress(run: LiveRun): readonly Fact[] {
	const { streaming } = run;
	const state = toOneLine(describeActivity(streaming, run.now));
	if (streaming?.waiting) return [{ text: state, weight: 9 }];
	return describeFigures({
		state,
		elapsed: describeElapsed(run),
		turn: describeTurn(streaming),
		usage: streaming?.usage ?? NO_USAGE,
		toolCalls: streaming?.toolCalls ?? 0,
		model: streaming?.model,
		thinking: streaming?.thinking,
	});
}

/** Whole seconds: a faster clock would only redraw more often. */
export function describeElapsed({ startedAt, now }: Pick<LiveRun, "startedAt" | "now">): string {
	const seconds = Math.floor(Math.max(0, now - startedAt) / 1000);
	return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** A turn is counted when its message is complete: while no tool of it runs, the next one is being written. */
function describeTurn(streaming: StreamingDisplay | undefined): string {
	if (!streaming || streaming.activity === "starting") return "";
	return `turn ${streaming.turnCount + (streaming.currentTool ? 0 : 1)}`;
}

function drawNewestCall({ streaming, now }: LiveRun, pen: Pen): readonly string[] {
	const current = streaming?.currentTool;
	if (current) {
		const elapsedMs =
			current.startedAt === undefined ? undefined : Math.floor((now - current.startedAt) / 1000) * 1000;
		return [drawToolCall(current, elapsedMs && elapsedMs > 0 ? elapsedMs : undefined, pen)];
	}
	const newest = streaming?.displayItems.findLast((item): item is ToolCallItem => item.type === "toolCall");
	return newest ? [drawToolCall(newest, newest.durationMs, pen)] : [];
}

/** The last lines of what the child wrote, as they would look wrapped. */
function drawTail(text: string, pen: Pen, count: number): readonly string[] {
	if (count <= 0) return [];
	return drawText(text.slice(-4 * pen.width * count), pen).slice(-count);
}
