import { formatCost, formatDuration, formatTokens } from "../../../../commands/format-figures.ts";
import type { StreamingDisplay } from "../../../../contract/result.ts";
import { toOneLine } from "../../../../text/to-one-line.ts";
import { formatArguments } from "./format-arguments.ts";
import { type Pen, toPlainText } from "./pen.ts";

const TEXT_LINES = 3;
/** Room for the bar in front of the text. */
const BAR_COLUMNS = 5;

export interface LiveRun {
	readonly streaming: StreamingDisplay | undefined;
	readonly text: string;
	readonly elapsedMs: number;
}

/** Lines that `drawRunning` draws. */
export const RUNNING_LINES = 2 + TEXT_LINES;

/** A run in progress. Always the same height, so that nothing below it moves. */
export function drawRunning(run: LiveRun, pen: Pen): readonly string[] {
	const { theme } = pen;
	return [
		pen.fit(`   ${theme.fg("muted", describeProgress(run.streaming, run.elapsedMs))}`),
		pen.fit(`   ${theme.fg("accent", "▸")} ${describeActivity(run.streaming, pen)}`),
		...drawTail(run.text, pen, TEXT_LINES),
	];
}

/** The same in two lines, as many as its result will have, for many runs or a small terminal. */
export function drawRunningShort(run: LiveRun, pen: Pen): readonly string[] {
	const [progress = "", activity = ""] = drawRunning(run, pen);
	const isWriting = !run.streaming?.currentTool && run.text.trim() !== "";
	const lastWords = drawTail(run.text, pen, 1)[0] ?? "";
	return [progress, isWriting ? lastWords : activity];
}

export function drawWaiting(pen: Pen): readonly string[] {
	return [pen.fit(`   ${pen.theme.fg("muted", "waiting for a free slot")}`)];
}

function describeProgress(streaming: StreamingDisplay | undefined, elapsedMs: number): string {
	// Whole seconds: a faster clock would only redraw more often.
	const elapsed = elapsedMs < 60_000 ? `${Math.floor(elapsedMs / 1000)} s` : formatDuration(elapsedMs);
	if (!streaming || !hasBegun(streaming)) return `starting · ${elapsed}`;
	// A turn is counted when its message is complete: while no tool of it runs, the next one is being written.
	const turn = `turn ${streaming.turnCount + (streaming.currentTool ? 0 : 1)}`;
	return [turn, elapsed, ...formatTokens(streaming.usage), ...formatCost(streaming.usage.cost)].join(" · ");
}

function hasBegun(streaming: StreamingDisplay): boolean {
	return streaming.activity !== "starting";
}

function describeActivity(streaming: StreamingDisplay | undefined, pen: Pen): string {
	const tool = streaming?.currentTool;
	if (streaming?.activity === "retrying") return pen.theme.fg("warning", "provider failed, waiting to retry");
	if (!tool) return pen.theme.fg("muted", !streaming || !hasBegun(streaming) ? "starting" : "thinking");
	const values = pen.theme.fg("muted", toOneLine(formatArguments(tool.args)));
	return `${pen.theme.fg("toolTitle", toOneLine(tool.name))} ${values}`;
}

/** The last lines of what the child wrote, as they would look wrapped. */
function drawTail(text: string, pen: Pen, count: number): readonly string[] {
	const lines = toPlainText(text.slice(-4 * pen.width * count))
		.split("\n")
		.filter((line) => line.trim() !== "")
		.flatMap((line) => pen.wrap(line, BAR_COLUMNS))
		.slice(-count);
	const bar = `   ${pen.theme.fg("borderMuted", "│")} `;
	return Array.from({ length: count }, (_, index) =>
		pen.fit(`${bar}${pen.theme.fg("toolOutput", (lines[index] ?? "").slice(BAR_COLUMNS))}`),
	);
}
