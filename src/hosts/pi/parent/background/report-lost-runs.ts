import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Surroundings } from "../../../../config/read-surroundings.ts";
import { ANSWER_MESSAGE } from "../custom-types.ts";
import { readEarlierRuns } from "../read-earlier-runs.ts";
import { openBackgroundRecords } from "./background-records.ts";
import { describeLostRun } from "./describe-lost-run.ts";
import { listDelivered } from "./list-delivered.ts";

/** Older ones are in `/toolkit watch`. */
const MAX_REPORTED = 5;

/**
 * Tells of agents that somebody waited for when their pi was killed: the person with a card, the model with the next
 * message. Those in the background are delivered by `create-background.ts`.
 */
export function reportLostRuns(
	pi: Pick<ExtensionAPI, "sendMessage">,
	{ sessionManager }: Pick<ExtensionContext, "sessionManager">,
	surroundings: Surroundings,
): void {
	const { agentDirectory } = surroundings;
	const session = sessionManager.getSessionId();
	const lost = readEarlierRuns(agentDirectory, session).filter(({ state }) => state === "lost");
	if (lost.length === 0) return;
	const delivered = listDelivered(sessionManager);
	const records = openBackgroundRecords(agentDirectory, session);
	const isNews = (runId: string): boolean => !delivered.has(runId) && !records.has(runId);
	for (const { runId, agent, task = "", sessionId = "" } of lost.slice(-MAX_REPORTED)) {
		if (!isNews(runId)) continue;
		const { text, isError, details } = describeLostRun({ runId, sessionId }, surroundings);
		pi.sendMessage(
			{
				customType: ANSWER_MESSAGE,
				content: `The agent ${agent} was at work on this task when pi ended:\n\n${task}\n\n${text}`,
				display: true,
				details: { runId, agent, task, isError, details },
			},
			{ triggerTurn: false },
		);
	}
}
