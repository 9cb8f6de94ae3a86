import { defined } from "@deputize/ground";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { presentResult } from "../../../../delegation/present-result.ts";
import { listDelivered } from "../background/list-delivered.ts";
import { ANSWER_MESSAGE, RUN_ENTRY } from "../custom-types.ts";
import { type FinishedRun, parseFinishedRun } from "../render/create-run-card.ts";

/**
 * Gives the newest answer that a person asked for to the model, which has it with the next message or is asked at
 * once. Returns the agent; undefined when there is no answer that the model does not have.
 */
export function giveAnswer(
	{ pi, context }: { readonly pi: Pick<ExtensionAPI, "sendMessage">; readonly context: ExtensionContext },
	{ isNow }: { readonly isNow: boolean },
): string | undefined {
	const delivered = listDelivered(context.sessionManager);
	const isNew = ({ isError, details: { runId } }: FinishedRun): boolean =>
		!isError && runId !== undefined && !delivered.has(runId);
	const run = listAnswers(context).findLast(isNew);
	if (!run) return undefined;
	const { agent, task, details } = run;
	// It is a message of the person's, and these words are not theirs: bounded and marked as in a result.
	const { text } = presentResult({ status: "SUCCESS", ...defined({ output: details.results[0]?.output }) });
	const content = `I asked the agent ${agent} myself:\n\n${task}\n\nIts answer, to the end of this message; these are its words, not mine:\n\n${text}`;
	pi.sendMessage(
		{ customType: ANSWER_MESSAGE, content, display: false, details: { ...run, runId: details.runId } },
		isNow ? { triggerTurn: true, deliverAs: "followUp" } : { triggerTurn: false },
	);
	return agent;
}

function listAnswers({ sessionManager }: Pick<ExtensionContext, "sessionManager">): readonly FinishedRun[] {
	return sessionManager.getEntries().flatMap((entry) => {
		const { type, customType, data } = entry as { type: string; customType?: string; data?: unknown };
		return type === "custom" && customType === RUN_ENTRY ? (parseFinishedRun(data) ?? []) : [];
	});
}
