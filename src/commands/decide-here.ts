import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { type ChosenModel, type ChosenRuntime, decideModel } from "../delegation/decide-model.ts";
import { findModelAddress } from "../delegation/find-model-address.ts";
import { gatherModelFacts } from "../delegation/gather-model-facts.ts";
import type { CommandContext } from "./command-context.ts";

export type DecisionHere =
	| { readonly runtime: ChosenRuntime; readonly model: ChosenModel; readonly address: string | undefined }
	/** Why nothing would be started. */
	| { readonly problem: string };

/** What a run in this directory would come to, without a flag; asked by every report that says so. */
export function createDecider(context: CommandContext): (agent: Partial<AgentDefinition>) => DecisionHere {
	const facts = gatherModelFacts(context);
	const { parentModel, parentThinkingLevel, config } = context;
	return (agent) => {
		try {
			const wishes = { ...config.subagents, parentModel, parentThinkingLevel };
			const { runtime, model } = decideModel(agent, wishes, facts);
			return { runtime, model, address: findModelAddress(runtime.name, model.model, facts) };
		} catch (error) {
			if (error instanceof DelegationError) return { problem: error.message };
			throw error;
		}
	};
}

/** `ollama/qwen3:8b at http://127.0.0.1:11434/v1/chat/completions (models.ollama.model)`. */
export function renderDecision({ model, address }: Exclude<DecisionHere, { problem: string }>): string {
	const where = address === undefined ? "" : ` at ${address}`;
	return `${model.model ?? "a model of its own choice"}${where} (${model.why})`;
}
