import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { CommandContext } from "../../../../commands/command-context.ts";
import { describeContinuation } from "../../../../commands/describe-continuation.ts";
import type { Report } from "../../../../commands/report.ts";
import { findRun, showRun } from "../../../../commands/show-run.ts";
import type { Delegations } from "../create-delegations.ts";
import type { PiLibrary } from "../pi-library.ts";
import { readCall } from "../read-call.ts";
import { drawCall } from "../render/draw-call.ts";
import { drawSummary } from "../render/draw-result.ts";
import { drawRunning } from "../render/draw-running.ts";
import type { Pen } from "../render/pen.ts";
import type { SessionRun } from "../session-runs.ts";
import { createListPanel } from "./create-list-panel.ts";
import { createReportPanel, type PanelKey } from "./create-report-panel.ts";

export interface WatchOptions {
	readonly pi: ExtensionAPI;
	readonly library: PiLibrary;
	readonly context: ExtensionCommandContext;
	readonly commands: CommandContext;
	readonly delegations: Delegations;
}

type WatchAction =
	| { readonly type: "open" | "message" | "continue"; readonly id: string }
	| { readonly type: "close" };

const CLOCK_MS = 1000;
/** What the result of a child says that was stopped here. */
export const STOPPED_BY_USER = "The user stopped this child in /toolkit watch.";

/** The children of this session until the person has seen enough. */
export async function showWatch(options: WatchOptions): Promise<void> {
	const { context, delegations } = options;
	let selected: string | undefined;
	for (;;) {
		const action = await showList(options, selected, (id) => {
			selected = id;
		});
		if (action.type === "close") return;
		selected = action.id;
		const run = delegations.runs.list().find(({ id }) => id === action.id);
		if (!run) continue;
		if (action.type === "open") await openRun(run, options);
		else if (action.type === "message") await sendMessage(run, options);
		else {
			const known = findRun(readRunId(run) ?? "", options.commands);
			context.ui.notify(
				typeof known === "string" ? known : describeContinuation(known, options.commands),
				"info",
			);
			return;
		}
	}
}

function showList(
	{ library, context, delegations }: WatchOptions,
	selected: string | undefined,
	onSelect: (id: string) => void,
): Promise<WatchAction> {
	const { runs } = delegations;
	const list = (): readonly SessionRun[] => runs.list().toReversed();
	return context.ui.custom<WatchAction>((tui, theme, _keybindings, done) => {
		const redraw = (): void => tui.requestRender();
		const stopWatching = runs.watch(redraw);
		const clock = setInterval(redraw, CLOCK_MS);
		clock.unref();
		const close = (action: WatchAction): void => {
			stopWatching();
			clearInterval(clock);
			done(action);
		};
		return createListPanel({
			library,
			theme,
			rows: () => tui.terminal.rows,
			requestRender: redraw,
			title: () => describeTitle(list()),
			empty: "No agent was asked in this session yet.",
			items: () => list().map((run) => ({ id: run.id, draw: (pen) => drawRun(run, pen) })),
			selected,
			onSelect,
			keys: (id) =>
				listRunKeys(
					list().find((run) => run.id === id),
					runs,
					close,
				),
			close: () => close({ type: "close" }),
		});
	});
}

/** Only what is possible is offered. */
function listRunKeys(
	run: SessionRun | undefined,
	runs: Delegations["runs"],
	close: (action: WatchAction) => void,
): readonly PanelKey[] {
	if (!run) return [];
	const { id } = run;
	const isRunning = run.result === undefined;
	const keys: readonly (PanelKey | false)[] = [
		{ key: "enter", label: "Enter look inside", press: () => close({ type: "open", id }) },
		isRunning && { key: "x", label: "x stop it", press: () => void runs.stop(id, STOPPED_BY_USER) },
		run.canDetach && { key: "b", label: "b to the background", press: () => void runs.detach(id) },
		run.takesMessages && { key: "s", label: "s send a message", press: () => close({ type: "message", id }) },
		!isRunning && { key: "o", label: "o continue it", press: () => close({ type: "continue", id }) },
	];
	return keys.filter((key) => key !== false);
}

function describeTitle(runs: readonly SessionRun[]): string {
	const running = runs.filter(({ result }) => result === undefined).length;
	return `Agents of this session: ${running} at work, ${runs.length - running} done`;
}

const LIST_LINES = 2;

function drawRun(run: SessionRun, pen: Pen): readonly string[] {
	const call = readCall(run);
	if (run.result) {
		const { details, isError } = run.result;
		return [
			...drawCall({ ...call, state: isError ? "failure" : "success" }, false, pen),
			pen.fit(`   ${drawSummary(details, isError, pen)}`),
		];
	}
	const streaming = run.update?.details.streaming;
	const text = run.update?.content[0].text ?? "";
	return [
		...drawCall({ ...call, state: streaming?.waiting ? "waiting" : "running" }, false, pen),
		...drawRunning({ streaming, text, startedAt: run.startedAt, now: Date.now() }, pen, LIST_LINES),
	];
}

function readRunId(run: SessionRun): string | undefined {
	return run.result?.details.runId ?? run.update?.details.runId;
}

async function sendMessage(run: SessionRun, { context, delegations }: WatchOptions): Promise<void> {
	const text = (await context.ui.input(`Message for ${run.agent}, before its next turn`))?.trim();
	if (!text) return;
	const isSent = delegations.runs.send(run.id, text);
	context.ui.notify(
		isSent
			? `Sent to ${run.agent}: it reads it before its next turn.`
			: `${run.agent} is over: nothing was sent.`,
		isSent ? "info" : "warning",
	);
}

async function openRun(run: SessionRun, options: WatchOptions): Promise<void> {
	const { runs } = options.delegations;
	const readRun = (): SessionRun => runs.list().find(({ id }) => id === run.id) ?? run;
	await showTranscript(options, {
		read: () => readRunId(readRun()),
		isRunning: () => readRun().result === undefined,
		keys: () =>
			readRun().result === undefined
				? [{ key: "x", label: "x stop it", press: () => void runs.stop(run.id, STOPPED_BY_USER) }]
				: [],
		watch: (listener) => runs.watch(listener),
	});
}

/** The transcript of a run that is over, or not of this session. */
export async function showOldRun(runId: string, options: Omit<WatchOptions, "delegations">): Promise<void> {
	await showTranscript(options, {
		read: () => runId,
		isRunning: () => false,
		keys: () => [],
		watch: () => () => undefined,
	});
}

interface Watched {
	/** Undefined before the run has a name. */
	read(): string | undefined;
	isRunning(): boolean;
	keys(): readonly PanelKey[];
	watch(listener: () => void): () => void;
}

const NOT_STARTED: Report = {
	title: "Waiting for a free slot",
	sections: [{ heading: "What it did", lines: [{ text: "It has not started." }] }],
	data: null,
};

async function showTranscript(
	{ library, context, commands }: Omit<WatchOptions, "delegations">,
	watched: Watched,
): Promise<void> {
	let report: Report | undefined;
	const make = (): Report => {
		const runId = watched.read();
		report ??= (runId === undefined ? undefined : showRun(runId, commands)) ?? NOT_STARTED;
		return report;
	};
	await context.ui.custom<void>((tui, theme, _keybindings, done) => {
		// Reading the files of a run takes a few milliseconds: once a second is enough, and once more at its end.
		const refresh = (): void => {
			report = undefined;
			tui.requestRender();
		};
		const clock = setInterval(() => (watched.isRunning() ? refresh() : undefined), CLOCK_MS);
		clock.unref();
		let wasRunning = watched.isRunning();
		const stopWatching = watched.watch(() => {
			if (wasRunning && !watched.isRunning()) refresh();
			wasRunning = watched.isRunning();
		});
		return createReportPanel(make, {
			library,
			theme,
			rows: () => tui.terminal.rows,
			requestRender: () => tui.requestRender(),
			follow: watched.isRunning(),
			keys: watched.keys,
			close() {
				clearInterval(clock);
				stopWatching();
				done();
			},
		});
	});
}
