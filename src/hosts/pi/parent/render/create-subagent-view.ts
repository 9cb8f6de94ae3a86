import { joinTextBlocks } from "@deputize/ground";
import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import type { Component, Markdown } from "@earendil-works/pi-tui";
import type { DelegationDetails } from "../../../../contract/result.ts";
import type { PiLibrary } from "../pi-library.ts";
import { readCall } from "../read-call.ts";
import type { SessionRun } from "../session-runs.ts";
import { type CallState, drawCall } from "./draw-call.ts";
import { drawCollapsed, drawDetached, drawFinished, drawSummary } from "./draw-result.ts";
import {
	describeRunning,
	drawRunning,
	drawRunningExpanded,
	type LiveRun,
	RUNNING_LINES,
} from "./draw-running.ts";
import { createLiveRows } from "./live-rows.ts";
import { createPen, type Pen, toPlainText } from "./pen.ts";
import { shortenPaths } from "./shorten-paths.ts";
import { quoteAnswer } from "./summarize-answer.ts";

type Tool = Parameters<ExtensionAPI["registerTool"]>[0];
type RenderCall = NonNullable<Tool["renderCall"]>;
type RenderResult = NonNullable<Tool["renderResult"]>;
type RenderContext = Parameters<RenderCall>[2];

/** Kept by pi for one row, from its call to its result. */
interface RowState {
	startedAt?: number;
	clock?: NodeJS.Timeout | undefined;
	/** The newest of a run that is still going. */
	run?: Pick<LiveRun, "streaming" | "text"> | undefined;
	/** Once short a live block stays short: growing while others end would move everything. */
	room?: number;
	result?: { readonly details: DelegationDetails; readonly isError: boolean } | undefined;
	/** No pi is at work on it any more, and there is no result. */
	isLost?: boolean;
	/** What is shown of a run that was let go, and at which width. */
	detached?: { readonly end: SessionRun["result"]; readonly width: number } | undefined;
	/** The lines last drawn, of the call and of what is below it. */
	drawn?: { call?: readonly string[]; below?: readonly string[] };
	markdown?: { readonly text: string; readonly component: Markdown };
}

const CLOCK_MS = 1000;
/** Where the screen is too small to say how much of a run may be shown. */
const FEWEST_EXPANDED_LINES = 3;
export interface SubagentView {
	readonly renderCall: RenderCall;
	readonly renderResult: RenderResult;
	/** Forgets every row, also those that will never be finished. */
	stop(): void;
}

/** How a delegation looks in the terminal. Components draw from state alone and own nothing but a clock. */
export function createSubagentView(
	library: PiLibrary,
	options: {
		readonly home: string;
		readonly screenLines: () => number;
		readonly now?: () => number;
		/** Where a run can be looked at; undefined when no page is open. */
		readonly findAddress?: (runId: string) => string | undefined;
		/** Whether a model is at work in this session. */
		readonly isWorking?: () => boolean;
		/** A run of this session; undefined for one of an earlier pi. */
		readonly findRun?: (runId: string) => SessionRun | undefined;
		/** Whether a line that was drawn can still be changed without clearing the terminal. */
		readonly isOnScreen?: (line: string) => boolean;
	},
): SubagentView {
	const { home, now = Date.now } = options;
	const clocks = new Set<NodeJS.Timeout>();
	const live = createLiveRows<RowState>(options.screenLines);
	const stopClock = (row: RowState): void => {
		clearInterval(row.clock);
		if (row.clock) clocks.delete(row.clock);
		row.clock = undefined;
	};
	/** The time is shown only while a run is live; this is what makes it move between updates. */
	const startClock = (row: RowState, context: RenderContext): void => {
		row.startedAt ??= now();
		if (row.clock) return;
		row.clock = setInterval(() => context.invalidate(), CLOCK_MS).unref();
		clocks.add(row.clock);
	};
	/** A part of a row that has scrolled out stays as it was last drawn. */
	const draw = (
		row: RowState,
		part: "call" | "below",
		theme: Theme,
		lines: (pen: Pen) => readonly string[],
	): Component => ({
		render(width) {
			row.drawn ??= {};
			const frozen = live.isFrozen(row) ? row.drawn[part] : undefined;
			row.drawn[part] = frozen ?? lines(createPen(library, theme, width));
			return [...row.drawn[part]];
		},
		invalidate: () => undefined,
	});
	const toLiveRun = (row: RowState): LiveRun => ({
		streaming: row.run?.streaming,
		text: row.run?.text ?? "",
		startedAt: row.startedAt ?? now(),
		now: now(),
	});
	/** Only in full: a line more would move what is below. */
	const drawAddress = (details: DelegationDetails | undefined, pen: Pen): readonly string[] => {
		const address = details?.runId && options.findAddress?.(details.runId);
		return address ? [pen.fit(`   ${pen.theme.fg("muted", `watch it: ${address}`)}`)] : [];
	};
	const measureRoom = (row: RowState): number => {
		row.room = Math.min(row.room ?? Number.POSITIVE_INFINITY, live.room(row));
		return row.room;
	};
	/**
	 * The end of a run that was let go: it comes after its call has ended, when the card may have scrolled out. There it
	 * stays as it was until something draws everything anew.
	 */
	const readDetachedEnd = (row: RowState, width: number): SessionRun["result"] => {
		const runId = row.result?.details.runId;
		const end = runId === undefined ? undefined : options.findRun?.(runId)?.result;
		const shown = row.detached;
		const [line] = row.drawn?.call ?? [];
		const mayChange =
			!shown || shown.width !== width || line === undefined || (options.isOnScreen?.(line) ?? true);
		if (mayChange) row.detached = { end, width };
		return row.detached?.end;
	};
	const drawLive = (
		row: RowState,
		given: DelegationDetails | undefined,
		expanded: boolean,
		pen: Pen,
	): readonly string[] => {
		if (!expanded) return drawRunning(toLiveRun(row), pen, Math.min(RUNNING_LINES, measureRoom(row)));
		const address = drawAddress(given, pen);
		const room = Math.max(FEWEST_EXPANDED_LINES, live.room(row) - address.length);
		return [...drawRunningExpanded(toLiveRun(row), pen, room), ...address];
	};
	/** What the line of the call says where there is no room for a second one. */
	const describeOutcome = (row: RowState, pen: Pen): ((columns: number) => string) | undefined => {
		if (row.run && measureRoom(row) === 0)
			return (columns) => pen.theme.fg("muted", describeRunning(toLiveRun(row), columns, pen));
		const { result } = row;
		if (!result || live.room(row) > 0) return undefined;
		return (columns) => pen.cut(drawSummary(result.details, result.isError, pen), columns);
	};
	const describeDetached = (row: RowState, width: number): CallState => {
		const end = readDetachedEnd(row, width);
		if (end) return end.isError ? "failure" : "success";
		// One of an earlier pi: its message says what became of it.
		return options.findRun?.(row.result?.details.runId ?? "") ? "running" : "handed-on";
	};
	const describeState = (row: RowState, context: RenderContext, width: number): CallState => {
		if (row.result?.details.detached) return describeDetached(row, width);
		if (!context.isPartial) return context.isError ? "failure" : "success";
		if (row.run?.streaming?.waiting) return "waiting";
		if (context.executionStarted) return "running";
		row.isLost ||= options.isWorking?.() === false;
		return row.isLost ? "lost" : "pending";
	};
	/** Others below may still change: what would push them out waits until they have ended. */
	const fitRoom = (row: RowState, lines: readonly string[]): readonly string[] => {
		const room = live.room(row);
		if (lines.length <= room) return lines;
		return [...lines.slice(0, Math.max(0, room - 1)), ...lines.slice(-1)].slice(0, room);
	};
	return {
		renderCall(args, theme, context) {
			const row = context.state as RowState;
			const { agent, task } = readCall(args);
			if (context.isPartial && !row.isLost && options.isWorking?.() !== false) live.open(row);
			// Looked up when it is drawn: what a call is doing is known only after its result was given here.
			return draw(row, "call", theme, (pen) => {
				const state = describeState(row, context, pen.width);
				const lines = drawCall(
					{ agent, task, state, outcome: describeOutcome(row, pen) },
					context.expanded,
					pen,
				);
				return state === "lost" ? [...lines, pen.fit(`   ${theme.fg("muted", LOST)}`)] : lines;
			});
		},
		renderResult(result, { expanded, isPartial }, theme, context) {
			const row = context.state as RowState;
			const given = readDetails(result.details);
			if (isPartial) {
				row.run = { streaming: given?.streaming, text: joinTextBlocks(result.content) };
				if (!given?.streaming?.waiting) startClock(row, context);
				return draw(row, "below", theme, (pen) => drawLive(row, given, expanded, pen));
			}
			stopClock(row);
			live.close(row);
			row.run = undefined;
			if (!given)
				return draw(row, "below", theme, (pen) => drawForeign(result.content, context.isError, pen));
			const { isError, cwd } = context;
			const details = shortenPaths(given, { cwd, home });
			row.result = { details, isError };
			if (details.detached)
				return draw(row, "below", theme, (pen) => drawDetached(readDetachedEnd(row, pen.width), pen));
			if (!expanded) {
				const hint = library.keyHint("app.tools.expand", "to expand");
				const quote = openMarkdown(row, quoteAnswer(details.results[0]?.output ?? ""), library);
				return draw(row, "below", theme, (pen) =>
					fitRoom(row, drawCollapsed(details, isError, { hint, quote }, pen)),
				);
			}
			const answer = openMarkdown(row, details.results[0]?.output ?? "", library);
			return draw(row, "below", theme, (pen) => [
				...drawFinished(details, isError, answer, pen),
				...drawAddress(details, pen),
			]);
		},
		stop() {
			for (const clock of clocks) clearInterval(clock);
			clocks.clear();
			live.clear();
		},
	};
}

const INDENT = 3;

/** Parsing Markdown is the one costly part: the component keeps its lines until the text changes. */
function openMarkdown(row: RowState, text: string, library: PiLibrary): Markdown {
	if (row.markdown?.text === text) return row.markdown.component;
	const component = new library.Markdown(text, 0, 0, library.getMarkdownTheme());
	row.markdown = { text, component };
	return component;
}

function drawForeign(
	content: Parameters<typeof joinTextBlocks>[0],
	isError: boolean,
	pen: Pen,
): readonly string[] {
	const text = toPlainText(joinTextBlocks(content));
	return pen.wrap(pen.theme.fg(isError ? "error" : "toolOutput", text), INDENT);
}

const LOST = "Ended with its pi: /toolkit watch shows what it had written.";

/** A call that another extension blocked, or that broke, has a result that is not ours. */
function readDetails(details: unknown): DelegationDetails | undefined {
	const { results } = (details ?? {}) as { results?: unknown };
	return Array.isArray(results) ? (details as DelegationDetails) : undefined;
}
