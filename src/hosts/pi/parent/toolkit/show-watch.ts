import { describeContinuation } from "../../../../commands/describe-continuation.ts";
import { findRun } from "../../../../commands/show-run.ts";
import type { Delegations } from "../delegations.ts";
import { drawAtWork } from "../render/draw-at-work.ts";
import { drawCall } from "../render/draw-call.ts";
import { drawSummary } from "../render/draw-result.ts";
import type { Pen } from "../render/pen.ts";
import type { SessionRun } from "../session-runs.ts";
import { createListPanel } from "./create-list-panel.ts";
import { type PanelKey, showPanel } from "./panel.ts";
import { showTranscript, type TranscriptOptions } from "./show-transcript.ts";

interface WatchOptions extends TranscriptOptions {
	readonly delegations: Delegations;
}

type WatchAction =
	| { readonly type: "open" | "message" | "continue"; readonly id: string }
	| { readonly type: "close" };

const CLOCK_MS = 1000;
/** What the result of a child says that was stopped here. */
const STOPPED_BY_USER = "The user stopped this child in /toolkit watch.";

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
	options: WatchOptions,
	selected: string | undefined,
	onSelect: (id: string) => void,
): Promise<WatchAction> {
	const { runs } = options.delegations;
	const list = (): readonly SessionRun[] => runs.list().toReversed();
	return showPanel<WatchAction>(options, (screen, done) => {
		const stopWatching = runs.watch(screen.requestRender);
		const clock = setInterval(screen.requestRender, CLOCK_MS).unref();
		const close = (action: WatchAction): void => {
			stopWatching();
			clearInterval(clock);
			done(action);
		};
		return createListPanel({
			...screen,
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
		isRunning && createStopKey(id, runs),
		run.canDetach && { key: "b", label: "b to the background", press: () => void runs.detach(id) },
		run.takesMessages && { key: "s", label: "s send a message", press: () => close({ type: "message", id }) },
		!isRunning && { key: "o", label: "o continue it", press: () => close({ type: "continue", id }) },
	];
	return keys.filter((key) => key !== false);
}

function createStopKey(id: string, runs: Delegations["runs"]): PanelKey {
	return { key: "x", label: "x stop it", press: () => void runs.stop(id, STOPPED_BY_USER) };
}

function describeTitle(runs: readonly SessionRun[]): string {
	const running = runs.filter(({ result }) => result === undefined).length;
	return `Agents of this session: ${running} at work, ${runs.length - running} done`;
}

const LIST_LINES = 2;

function drawRun(run: SessionRun, pen: Pen): readonly string[] {
	if (!run.result) return drawAtWork(run, pen, LIST_LINES);
	const { details, isError } = run.result;
	return [
		...drawCall({ ...run, state: isError ? "failure" : "success" }, false, pen),
		pen.fit(`   ${drawSummary(details, isError, pen)}`),
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
	const isRunning = (): boolean => readRun().result === undefined;
	await showTranscript(options, () => readRunId(readRun()), {
		isRunning,
		keys: () => (isRunning() ? [createStopKey(run.id, runs)] : []),
		watch: runs.watch,
	});
}
