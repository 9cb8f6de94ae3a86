import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import type { Component, Markdown } from "@earendil-works/pi-tui";
import type { DelegationDetails } from "../../../../contract/result.ts";
import type { PiLibrary } from "../pi-library.ts";
import { type CallState, drawCall } from "./draw-call.ts";
import { drawAround, drawCollapsed } from "./draw-result.ts";
import { drawRunning, drawRunningShort, drawWaiting } from "./draw-running.ts";
import { createLiveRows } from "./live-rows.ts";
import { createPen, type Pen, toPlainText } from "./pen.ts";
import { shortenPaths } from "./shorten-paths.ts";

type Tool = Parameters<ExtensionAPI["registerTool"]>[0];
type RenderCall = NonNullable<Tool["renderCall"]>;
type RenderResult = NonNullable<Tool["renderResult"]>;
type RenderContext = Parameters<RenderCall>[2];

/** Kept by pi for one row, from its call to its result. */
interface RowState {
	startedAt?: number;
	clock?: NodeJS.Timeout | undefined;
	waiting?: boolean;
	/** Once short a live block stays short: growing while others end would move everything. */
	isShort?: boolean;
	markdown?: { readonly text: string; readonly component: Markdown };
}

const CLOCK_MS = 1000;

export interface SubagentView {
	readonly renderCall: RenderCall;
	readonly renderResult: RenderResult;
	/** Forgets every row, also those that will never be finished. */
	stop(): void;
}

/** How a delegation looks in the terminal. Components draw from state alone and own nothing but a clock. */
export function createSubagentView(
	library: PiLibrary,
	options: { readonly home: string; readonly screenLines: () => number; readonly now?: () => number },
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
		row.clock = setInterval(() => context.invalidate(), CLOCK_MS);
		row.clock.unref();
		clocks.add(row.clock);
	};
	return {
		renderCall(args, theme, context) {
			const row = context.state as RowState;
			const { agent, task } = readCall(args);
			if (context.isPartial) live.open(row);
			// Looked up when it is drawn: that a call waits is known only after its result was given here.
			return draw(library, theme, (pen) =>
				drawCall({ agent, task, state: describeState(row, context) }, context.expanded, pen),
			);
		},
		renderResult(result, { expanded, isPartial }, theme, context) {
			const row = context.state as RowState;
			const given = readDetails(result.details);
			if (isPartial) {
				const streaming = given?.streaming;
				row.waiting = streaming?.waiting === true;
				if (row.waiting) return draw(library, theme, drawWaiting);
				startClock(row, context);
				const text = readContent(result.content);
				return draw(library, theme, (pen) => {
					row.isShort ||= !live.fit();
					const elapsedMs = now() - (row.startedAt ?? now());
					return (row.isShort ? drawRunningShort : drawRunning)({ streaming, text, elapsedMs }, pen);
				});
			}
			stopClock(row);
			live.close(row);
			row.waiting = false;
			if (!given) {
				const text = toPlainText(readContent(result.content));
				const color = context.isError ? "error" : "toolOutput";
				return draw(library, theme, (pen) => pen.wrap(theme.fg(color, text), INDENT));
			}
			const { isError, cwd } = context;
			const details = shortenPaths(given, { cwd, home });
			const hint = expanded ? "" : library.keyHint("app.tools.expand", "to expand");
			if (!expanded) return draw(library, theme, (pen) => drawCollapsed(details, isError, hint, pen));
			const answer = openMarkdown(row, details.results[0]?.output ?? "", library);
			return draw(library, theme, (pen) => drawExpanded(details, isError, answer, pen));
		},
		stop() {
			for (const clock of clocks) clearInterval(clock);
			clocks.clear();
			live.clear();
		},
	};
}

function draw(library: PiLibrary, theme: Theme, lines: (pen: Pen) => readonly string[]): Component {
	return {
		render: (width) => [...lines(createPen(library, theme, width))],
		invalidate: () => undefined,
	};
}

const INDENT = 3;

function drawExpanded(
	details: DelegationDetails,
	isError: boolean,
	answer: Markdown,
	pen: Pen,
): readonly string[] {
	const { above, below } = drawAround(details, isError, pen);
	const lines = answer.render(Math.max(1, pen.width - INDENT));
	return [...above, ...lines.map((line) => pen.fit(" ".repeat(INDENT) + line)), ...below];
}

/** Parsing Markdown is the one costly part: the component keeps its lines until the text changes. */
function openMarkdown(row: RowState, text: string, library: PiLibrary): Markdown {
	if (row.markdown?.text === text) return row.markdown.component;
	const component = new library.Markdown(text, 0, 0, library.getMarkdownTheme());
	row.markdown = { text, component };
	return component;
}

function describeState(row: RowState, context: RenderContext): CallState {
	if (!context.isPartial) return context.isError ? "failure" : "success";
	if (row.waiting) return "waiting";
	return context.executionStarted ? "running" : "pending";
}

function readCall(args: unknown): { readonly agent: string; readonly task: string } {
	const { agent, task } = (args ?? {}) as { agent?: unknown; task?: unknown };
	return { agent: typeof agent === "string" ? agent : "", task: typeof task === "string" ? task : "" };
}

/** A call that another extension blocked, or that broke, has a result that is not ours. */
function readDetails(details: unknown): DelegationDetails | undefined {
	const { results } = (details ?? {}) as { results?: unknown };
	return Array.isArray(results) ? (details as DelegationDetails) : undefined;
}

function readContent(content: readonly { readonly type: string; readonly text?: string }[]): string {
	return content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("\n");
}
