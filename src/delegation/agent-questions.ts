import type { AgentDefinition } from "../contract/agent.ts";
import type { TrustAnswer } from "./check-agent-trust.ts";

/**
 * Asks about project agents, one question at a time and one per content: parallel calls of the same agent share the
 * answer. A no counts until the session ends and a "not now" until the person's next message, so that a model cannot
 * ask again and again. A yes is remembered on disk by whoever asked for the confirmation.
 */
export function createAgentQuestions() {
	const answers = new Map<string, Promise<TrustAnswer>>();
	const putOff = new Set<string>();
	let lastQuestion: Promise<unknown> = Promise.resolve();
	return {
		/** `ask` puts the question to a person; it is called only when there is no answer for this content yet. */
		confirm(
			agent: AgentDefinition,
			ask: () => Promise<TrustAnswer>,
			signal?: AbortSignal,
		): Promise<TrustAnswer> {
			const key = `${agent.contentHash} ${agent.file}`;
			const known = answers.get(key);
			if (known !== undefined) return known;
			const answer = lastQuestion.then((): TrustAnswer | Promise<TrustAnswer> =>
				signal?.aborted ? false : ask(),
			);
			lastQuestion = answer.catch(() => undefined);
			answers.set(key, answer);
			const forget = (): void => void answers.delete(key);
			answer.then((said) => {
				// A dialog closed by cancelling the run is no answer.
				if (signal?.aborted) forget();
				else if (said === "not-now") putOff.add(key);
			}, forget);
			return answer;
		},
		/** The person has said something new: what they put off may be asked again. */
		askAgain(): void {
			for (const key of putOff) answers.delete(key);
			putOff.clear();
		},
	};
}
