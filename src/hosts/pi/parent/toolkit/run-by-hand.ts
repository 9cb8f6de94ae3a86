import { randomUUID } from "node:crypto";
import type { Component } from "@earendil-works/pi-tui";
import type { DelegationDetails, DelegationUpdate } from "../../../../contract/result.ts";
import { ANSWER_MESSAGE, RUN_ENTRY } from "../custom-types.ts";
import type { Delegations } from "../delegations.ts";
import type { FinishedRun } from "../render/create-run-card.ts";
import { drawAtWork } from "../render/draw-at-work.ts";
import { createPen } from "../render/pen.ts";
import { tell } from "./tell.ts";
import type { Toolkit } from "./toolkit.ts";

const KEEP = "Keep it to myself";
const HAND_OVER = "Give it to the model with my next message";
const ANSWER_NOW = "Give it to the model and let it answer now";
const CLOCK_MS = 1000;

interface Request {
	readonly agent: string;
	readonly task: string;
}

/**
 * Runs a delegation that the model did not ask for. In a terminal the person goes on working meanwhile; a program that
 * has nothing to show it on waits for the answer.
 */
export async function runByHand(
	request: Request,
	toolkit: Toolkit & { readonly delegations: Delegations },
): Promise<void> {
	const work = runAndShow(request, toolkit);
	if (!toolkit.context.hasUI) await work;
	else void work.catch((error: unknown) => tell(toolkit, String(error), "error"));
}

async function runAndShow(
	{ agent, task }: Request,
	{ delegations, ...toolkit }: Toolkit & { readonly delegations: Delegations },
): Promise<void> {
	const { pi, context } = toolkit;
	const id = `toolkit-${randomUUID()}`;
	const live = context.mode === "tui" ? showLive(id, { agent, task }, toolkit) : undefined;
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
	if (!result.isError) await offerAnswer({ agent, task }, text, result.details, toolkit);
}

/** The answer is the person's: the model gets it when they say so. */
async function offerAnswer(
	{ agent, task }: Request,
	answer: string,
	details: DelegationDetails,
	{ pi, context }: Toolkit,
): Promise<void> {
	const chosen = await context.ui.select(`${agent} has answered`, [KEEP, HAND_OVER, ANSWER_NOW]);
	if (chosen !== HAND_OVER && chosen !== ANSWER_NOW) return;
	const content = `I asked the agent ${agent} myself:\n\n${task}\n\nIts answer:\n\n${answer}`;
	const message = { customType: ANSWER_MESSAGE, content, display: false, details };
	if (chosen === ANSWER_NOW) pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" });
	else pi.sendMessage(message, { triggerTurn: false });
}

/** The card of a run that no row of the conversation belongs to, above the editor. */
function showLive(
	id: string,
	request: Request,
	{ library, context }: Toolkit,
): { update(update: DelegationUpdate): void; close(): void } {
	const startedAt = Date.now();
	let update: DelegationUpdate | undefined;
	let redraw = (): void => undefined;
	const clock = setInterval(() => redraw(), CLOCK_MS).unref();
	context.ui.setWidget(id, (tui, theme): Component => {
		redraw = () => tui.requestRender();
		return {
			render: (width) => [...drawAtWork({ ...request, startedAt, update }, createPen(library, theme, width))],
			invalidate: () => undefined,
		};
	});
	return {
		update(newest) {
			update = newest;
			redraw();
		},
		close() {
			clearInterval(clock);
			context.ui.setWidget(id, undefined);
		},
	};
}
