import { describeContinuation } from "../../../../commands/describe-continuation.ts";
import { findRun } from "../../../../commands/show-run.ts";
import type { Delegations } from "../delegations.ts";
import { readEarlierRuns } from "../read-earlier-runs.ts";
import { toLiveRun } from "../render/draw-at-work.ts";
import { listProgress } from "../render/draw-running.ts";
import { fitFacts } from "../render/fit-facts.ts";
import type { Pen } from "../render/pen.ts";
import type { SessionRun } from "../session-runs.ts";
import { askText } from "./ask-text.ts";
import { createListPanel } from "./create-list-panel.ts";
import { createStopKey } from "./create-stop-key.ts";
import { type PanelKey, showPanel } from "./panel.ts";
import { showTranscript, type TranscriptOptions } from "./show-transcript.ts";
import { listWatchedAgents, type WatchedAgent } from "./watched-agent.ts";

interface WatchOptions extends TranscriptOptions {
	readonly delegations: Delegations;
}

interface Watch extends WatchOptions {
	list(): readonly WatchedAgent[];
	readonly toStopKey: ReturnType<typeof createStopKey>;
}

interface WatchAction {
	readonly type: "open" | "message" | "continue";
	readonly id: string;
}

const CLOCK_MS = 1000;
/** What the result of a child says that was stopped here. */
const STOPPED_BY_USER = "The user stopped this child in /toolkit watch.";

/** The children of this session until the person has seen enough. */
export async function showWatch(options: WatchOptions): Promise<void> {
	const { context, commands, delegations } = options;
	// Those of an earlier pi do not change, or only in another terminal.
	const earlier = readEarlierRuns(
		commands.surroundings.agentDirectory,
		context.sessionManager.getSessionId(),
	);
	const watch: Watch = {
		...options,
		list: () => listWatchedAgents(delegations.runs.list(), earlier),
		toStopKey: createStopKey(),
	};
	let selected = chooseFirst(watch.list());
	for (;;) {
		const action = await showList(watch, selected, (id) => {
			selected = id;
		});
		if (action === undefined) return;
		selected = action.id;
		if (await act(action, watch)) return;
	}
}

/** True when the panel has served its purpose. */
async function act({ type, id }: WatchAction, watch: Watch): Promise<boolean> {
	const agent = watch.list().find((candidate) => candidate.id === id);
	if (!agent) return false;
	if (type === "message") await sendMessage(agent, watch);
	if (type === "continue") tellHowToContinue(agent, watch);
	if (type !== "open") return type === "continue";
	const next = await openRun(agent, watch);
	if (next === undefined) return false;
	// A message that was sent from the transcript leads back to it.
	return (await act(next, watch)) || act({ type: "open", id }, watch);
}

/** What is at work, or else what ended last. */
function chooseFirst(agents: readonly WatchedAgent[]): string | undefined {
	return (agents.find(({ state }) => state !== "ended") ?? agents.at(-1))?.id;
}

function showList(
	watch: Watch,
	selected: string | undefined,
	onSelect: (id: string) => void,
): Promise<WatchAction | undefined> {
	const { runs } = watch.delegations;
	return showPanel<WatchAction | undefined>(watch, (screen, done) => {
		const stopWatching = runs.watch(screen.requestRender);
		const clock = setInterval(screen.requestRender, CLOCK_MS).unref();
		const close = (action?: WatchAction): void => {
			stopWatching();
			clearInterval(clock);
			done(action);
		};
		return createListPanel({
			...screen,
			title: () => describeTitle(watch.list()),
			empty: "No agent was asked in this session yet.",
			items: () => watch.list(),
			selected,
			onSelect,
			keys(id) {
				const agent = watch.list().find((candidate) => candidate.id === id);
				if (!agent) return [];
				const open: PanelKey = {
					key: "enter",
					label: "Enter look inside",
					press: () => close({ type: "open", id: agent.id }),
				};
				return [open, ...listRunKeys(agent, watch, close)];
			},
			close: () => close(),
		});
	});
}

/** What can be done with a run, in the list and inside. Only what is possible is offered. */
function listRunKeys(
	{ id, run, state }: WatchedAgent,
	{ delegations: { runs }, toStopKey }: Watch,
	leave: (action: WatchAction) => void,
): readonly PanelKey[] {
	const keys: readonly (PanelKey | false | undefined)[] = [
		run && state !== "ended" && toStopKey(id, () => void runs.stop(id, STOPPED_BY_USER)),
		run?.canDetach && { key: "b", label: "b background", press: () => void runs.detach(id) },
		run?.takesMessages && {
			key: "s",
			label: "s message",
			press: () => leave({ type: "message", id }),
		},
		state === "ended" && { key: "o", label: "o continue it", press: () => leave({ type: "continue", id }) },
	];
	return keys.filter((key) => key !== false && key !== undefined);
}

function describeTitle(agents: readonly WatchedAgent[]): string {
	const count = (state: WatchedAgent["state"]): number =>
		agents.filter((agent) => agent.state === state).length;
	const waiting = count("waiting");
	return [
		`Agents of this session: ${count("working")} at work`,
		...(waiting > 0 ? [`${waiting} waiting`] : []),
		`${count("ended")} done`,
	].join(", ");
}

function tellHowToContinue({ runId }: WatchedAgent, { context, commands }: Watch): void {
	const known = findRun(runId ?? "", commands);
	context.ui.notify(typeof known === "string" ? known : describeContinuation(known, commands), "info");
}

async function sendMessage({ id, agent }: WatchedAgent, watch: Watch): Promise<void> {
	const { context, delegations } = watch;
	const text = await askText(`Message for ${agent}, before its next turn`, watch);
	if (!text) return;
	const isSent = delegations.runs.send(id, text);
	context.ui.notify(
		isSent ? `Sent to ${agent}: it reads it before its next turn.` : `${agent} is over: nothing was sent.`,
		isSent ? "info" : "warning",
	);
}

function openRun(agent: WatchedAgent, watch: Watch): Promise<WatchAction | undefined> {
	const read = (): WatchedAgent => watch.list().find(({ id }) => id === agent.id) ?? agent;
	return showTranscript<WatchAction>(watch, () => read().runId, {
		isRunning: () => read().state !== "ended",
		describe: (pen, columns) => describeAtWork(read().run, pen, columns),
		keys: (leave) => listRunKeys(read(), watch, leave),
		watch: watch.delegations.runs.watch,
	});
}

function describeAtWork(run: SessionRun | undefined, pen: Pen, columns: number): string | undefined {
	if (!run || run.result) return undefined;
	const who = `${run.agent}: `;
	return `${who}${fitFacts(listProgress(toLiveRun(run)), columns - pen.visibleWidth(who), pen)}`;
}
