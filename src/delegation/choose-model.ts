import type { AgentDefinition } from "../contract/agent.ts";

export const OFFLINE_MODEL = "offline/navigator";

export interface ModelRequest {
	/** Asked for explicitly in this call, such as `--model`. */
	readonly requested?: string;
	/** The parent's model as `provider/id`, and its thinking level. */
	readonly parentModel?: string;
	readonly parentThinkingLevel?: string;
	readonly offline?: boolean;
	/** Whether pi could pick a default model by itself. */
	readonly hasCredentials: boolean;
}

export interface ChosenModel {
	/** Undefined leaves the choice to pi's own settings. */
	readonly model?: string;
	readonly thinkingLevel?: string;
	/** A line for the person when the choice is not what a language model would give. */
	readonly notice?: string;
}

/** What was asked for, else the agent's, else the parent's, else pi's default, else the embedded navigator. */
export function chooseModel(agent: AgentDefinition, request: ModelRequest): ChosenModel {
	if (request.offline) return { model: OFFLINE_MODEL };
	const named = request.requested ?? agent.model;
	if (named === "offline" || named === OFFLINE_MODEL) return { model: OFFLINE_MODEL };
	if (named) return { model: named };
	if (request.parentModel) {
		return {
			model: request.parentModel,
			...(request.parentThinkingLevel ? { thinkingLevel: request.parentThinkingLevel } : {}),
		};
	}
	if (request.hasCredentials) return {};
	return {
		model: OFFLINE_MODEL,
		notice:
			"No model credentials were found: the embedded offline navigator answers by keyword and symbol search, not by a language model. To use one, set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or log in with pi, or pass --model.",
	};
}
