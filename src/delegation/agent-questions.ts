import type { AgentDefinition } from "../contract/agent.ts";

export interface AgentQuestions {
	/** `ask` puts the question to a person; it is called only when there is no answer for this content yet. */
	confirm(agent: AgentDefinition, ask: () => Promise<boolean>, signal?: AbortSignal): Promise<boolean>;
}

/**
 * Asks about project agents, one question at a time and one per content: parallel calls of the same agent
 * share the answer, and a no counts until the session ends, so that a model cannot ask again and again. A yes
 * is remembered on disk by whoever asked for the confirmation.
 */
export function createAgentQuestions(): AgentQuestions {
	const answers = new Map<string, Promise<boolean>>();
	let lastQuestion: Promise<unknown> = Promise.resolve();
	return {
		confirm(agent, ask, signal) {
			const key = `${agent.contentHash} ${agent.file}`;
			const known = answers.get(key);
			if (known !== undefined) return known;
			const answer = lastQuestion.then(() => (signal?.aborted ? false : ask()));
			lastQuestion = answer.catch(() => undefined);
			answers.set(key, answer);
			const forget = (): void => void answers.delete(key);
			// A dialog closed by cancelling the run is no answer.
			answer.then(() => (signal?.aborted ? forget() : undefined), forget);
			return answer;
		},
	};
}
