import { randomUUID } from "node:crypto";
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import type { DelegationResult, DelegationUpdate } from "../../../../contract/result.ts";
import type { Delegations } from "../create-delegations.ts";
import { ANSWER_MESSAGE, RUN_ENTRY } from "../custom-types.ts";
import type { PiLibrary } from "../pi-library.ts";
import type { FinishedRun } from "../render/create-run-card.ts";
import { drawCall } from "../render/draw-call.ts";
import { drawRunning } from "../render/draw-running.ts";
import { createPen } from "../render/pen.ts";
import { tell } from "./tell.ts";

const KEEP = "Keep it to myself";
const HAND_OVER = "Give it to the model with my next message";
const ANSWER_NOW = "Give it to the model and let it answer now";
const CLOCK_MS = 1000;

export interface HandRunOptions {
	readonly pi: ExtensionAPI;
	readonly library: PiLibrary;
	readonly delegations: Delegations;
	readonly context: ExtensionCommandContext;
}

/**
 * Runs a delegation that the model did not ask for. In a terminal the person goes on working meanwhile; a program that
 * has nothing to show it on waits for the answer.
 */
export async function runByHand(
	request: { readonly agent: string; readonly task: string },
	options: HandRunOptions,
): Promise<void> {
	const work = runAndShow(request, options);
	if (!options.context.hasUI) await work;
	else void work.catch((error: unknown) => tell(options.pi, options.context, String(error), "error"));
}

async function runAndShow(
	{ agent, task }: { readonly agent: string; readonly task: string },
	{ pi, library, delegations, context }: HandRunOptions,
): Promise<void> {
	const id = `toolkit-${randomUUID()}`;
	const live = context.mode === "tui" ? showLive(id, { agent, task }, { library, context }) : undefined;
	const started = delegations.start({
		toolCallId: id,
		input: { agent, task },
		context,
		...(live ? { onUpdate: live.update } : {}),
	});
	const result = await started.result.finally(() => live?.close());
	const [{ text }] = result.content;
	if (!context.hasUI) {
		pi.sendMessage({ customType: ANSWER_MESSAGE, content: text, display: true, details: result.details });
		return;
	}
	pi.appendEntry<FinishedRun>(RUN_ENTRY, { agent, task, isError: result.isError, details: result.details });
	if (context.mode !== "tui") context.ui.notify(text, result.isError ? "error" : "info");
	await offerAnswer(pi, context, { agent, task, result });
}

/** The answer is the person's: the model gets it when they say so. */
async function offerAnswer(
	pi: ExtensionAPI,
	{ ui }: ExtensionCommandContext,
	{
		agent,
		task,
		result,
	}: { readonly agent: string; readonly task: string; readonly result: DelegationResult },
): Promise<void> {
	if (result.isError) return;
	const chosen = await ui.select(`${agent} has answered`, [KEEP, HAND_OVER, ANSWER_NOW]);
	if (chosen !== HAND_OVER && chosen !== ANSWER_NOW) return;
	const content = `I asked the agent ${agent} myself:\n\n${task}\n\nIts answer:\n\n${result.content[0].text}`;
	const message = { customType: ANSWER_MESSAGE, content, display: false, details: result.details };
	if (chosen === ANSWER_NOW) pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" });
	else pi.sendMessage(message, { triggerTurn: false });
}

/** The card of a run that no row of the conversation belongs to, above the editor. */
function showLive(
	id: string,
	call: { readonly agent: string; readonly task: string },
	{ library, context }: Pick<HandRunOptions, "library" | "context">,
): { update(update: DelegationUpdate): void; close(): void } {
	const startedAt = Date.now();
	let newest: DelegationUpdate | undefined;
	let redraw = (): void => undefined;
	const clock = setInterval(() => redraw(), CLOCK_MS);
	clock.unref();
	context.ui.setWidget(id, (tui, theme): Component => {
		redraw = () => tui.requestRender();
		return {
			render(width) {
				const pen = createPen(library, theme, width);
				const streaming = newest?.details.streaming;
				const text = newest?.content[0].text ?? "";
				return [
					...drawCall({ ...call, state: streaming?.waiting ? "waiting" : "running" }, false, pen),
					...drawRunning({ streaming, text, startedAt, now: Date.now() }, pen),
				];
			},
			invalidate: () => undefined,
		};
	});
	return {
		update(update) {
			newest = update;
			redraw();
		},
		close() {
			clearInterval(clock);
			context.ui.setWidget(id, undefined);
		},
	};
}
