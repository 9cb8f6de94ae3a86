import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Component, TUI } from "@earendil-works/pi-tui";
import type { DelegationResult, DelegationUpdate } from "../../../../contract/result.ts";
import { countUsage } from "../count-usage.ts";
import { ANSWER_MESSAGE, RUN_ENTRY } from "../custom-types.ts";
import type { Delegations } from "../delegations.ts";
import type { FinishedRun } from "../render/create-run-card.ts";
import { drawAtWork } from "../render/draw-at-work.ts";
import { createPen } from "../render/pen.ts";
import { giveAnswer } from "./give-answer.ts";
import { tell } from "./tell.ts";
import type { Toolkit } from "./toolkit.ts";

const KEEP = "Keep it to myself";
const HAND_OVER = "Give it to the model with my next message";
const ANSWER_NOW = "Give it to the model and let it answer now";
const CLOCK_MS = 1000;
const STOPPED_BY_USER = "The user stopped this child.";

interface Request {
	readonly agent: string;
	readonly task: string;
}

/** Also of an event, whose context can do less than that of a command. */
interface Hand extends Pick<Toolkit, "pi" | "library"> {
	readonly context: ExtensionContext;
	readonly delegations: Delegations;
}

/**
 * Runs a delegation that the model did not ask for. In a terminal the person goes on working meanwhile; a program that
 * has nothing to show it on waits for the answer.
 */
export async function runByHand(request: Request, hand: Hand): Promise<void> {
	const work = runAndShow(request, hand);
	if (!hand.context.hasUI) await work;
	else void work.catch((error: unknown) => tell(hand, String(error), "error"));
}

async function runAndShow({ agent, task }: Request, hand: Hand): Promise<void> {
	const { pi, context, delegations } = hand;
	const id = `toolkit-${randomUUID()}`;
	const stop = (): void => void delegations.runs.stop(id, STOPPED_BY_USER);
	const live = context.mode === "tui" ? showLive(id, { agent, task }, { ...hand, stop }) : undefined;
	const started = delegations.start({
		toolCallId: id,
		input: { agent, task },
		context,
		...(live ? { onUpdate: live.update } : {}),
	});
	const result = await started.result.finally(() => live?.close());
	const { details, isError } = result;
	const [{ text }] = result.content;
	countUsage(context, details.runId, details.results[0]);
	if (context.mode === "print") return print(result);
	if (!context.hasUI) {
		pi.sendMessage({ customType: ANSWER_MESSAGE, content: text, display: true, details });
		return;
	}
	pi.appendEntry<FinishedRun>(RUN_ENTRY, { agent, task, isError, details });
	if (context.mode !== "tui") {
		context.ui.notify(text, isError ? "error" : "info");
		if (!isError) await offerAnswer(hand, agent);
	} else if (!isError)
		// Not a question: it would take the keys of whoever is typing.
		context.ui.notify(`${agent} has answered. /toolkit give gives its answer to the model.`, "info");
}

/** The answer is the person's: the model gets it when they say so. */
async function offerAnswer(hand: Hand, agent: string): Promise<void> {
	const chosen = await hand.context.ui.select(`${agent} has answered`, [KEEP, HAND_OVER, ANSWER_NOW]);
	if (chosen === HAND_OVER || chosen === ANSWER_NOW) giveAnswer(hand, { isNow: chosen === ANSWER_NOW });
}

/** stdout has been taken over by pi, which prints only what the model said. */
async function print({ isError, details, content: [{ text }] }: DelegationResult): Promise<void> {
	if (isError) {
		process.stderr.write(`${text}\n`);
		process.exitCode = 1;
		return;
	}
	const { write } = Object.getPrototypeOf(process.stdout) as Pick<Writable, "write">;
	const answer = details.results[0]?.output ?? text;
	await new Promise((resolve) => write.call(process.stdout, `${answer}\n`, "utf8", resolve));
}

/** The card of a run that no row of the conversation belongs to, above the editor. */
function showLive(
	id: string,
	request: Request,
	{ library, context, stop }: Hand & { stop(): void },
): { update(update: DelegationUpdate): void; close(): void } {
	const startedAt = Date.now();
	let update: DelegationUpdate | undefined;
	let terminal: TUI | undefined;
	const redraw = (): void => terminal?.requestRender();
	const clock = setInterval(redraw, CLOCK_MS).unref();
	context.ui.setWidget(id, (tui, theme): Component => {
		terminal = tui;
		return {
			render(width) {
				const pen = createPen(library, theme, width);
				return [
					...drawAtWork({ ...request, startedAt, update }, pen),
					pen.fit(theme.fg("dim", "   Esc stops it")),
				];
			},
			invalidate: () => undefined,
		};
	});
	const unlisten = context.ui.onTerminalInput((data) => {
		if (!library.matchesKey(data, "escape") || !context.isIdle() || !isEditing(terminal)) return undefined;
		stop();
		return { consume: true };
	});
	return {
		update(newest) {
			update = newest;
			redraw();
		},
		close() {
			unlisten();
			clearInterval(clock);
			context.ui.setWidget(id, undefined);
		},
	};
}

/** Where keys go. pi's terminal can say so; its type does not. */
interface FocusedScreen {
	getFocusedComponent?(): { getText?: unknown; isShowingAutocomplete?(): boolean } | null;
}

/** Whether keys go to the editor itself: in a panel, a question or a list of completions Esc means something else. */
function isEditing(terminal: TUI | undefined): boolean {
	const focused = (terminal as FocusedScreen | undefined)?.getFocusedComponent?.();
	return typeof focused?.getText === "function" && focused.isShowingAutocomplete?.() !== true;
}
