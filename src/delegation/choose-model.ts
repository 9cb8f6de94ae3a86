import { defined } from "@deputize/ground";
import { toNameList } from "../agents/parse-frontmatter.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import { OFFLINE_MODEL } from "../contract/offline-model.ts";
import type { ModelChoice } from "../contract/plan.ts";
import { splitThinking } from "../contract/thinking.ts";

export interface ModelRequest {
	/** Explicitly requested for this call, for example with `--model`; several are separated by commas. */
	readonly requested?: string;
	/** `subagents.model` and `subagents.thinking`. */
	readonly configured?: { readonly model: string; readonly thinking: string };
	/** The parent's model as `provider/id`, and its thinking level. */
	readonly parentModel?: string;
	readonly parentThinkingLevel?: string;
	readonly offline?: boolean;
	/** Whether pi could choose a default model itself. */
	readonly hasCredentials: boolean;
}

export interface ChosenModel extends ModelChoice {
	/** Where the choice comes from, for the user. */
	readonly why: string;
	/** The name was written by someone and may be wrong. */
	readonly isNamed: boolean;
	/** What the run falls back on, in this order. */
	readonly fallbacks: readonly ModelChoice[];
	/** A line for the user when no language model will answer. */
	readonly notice?: string;
}

/**
 * The model that was requested, or the agent's, the configuration's, the parent's, pi's default, or the embedded
 * navigator, in this order.
 */
export function chooseModel(agent: AgentDefinition, request: ModelRequest): ChosenModel {
	const configured = request.configured?.thinking;
	const thinking = agent.thinking ?? (configured === "inherit" ? undefined : configured);
	if (request.offline) return alone({ model: OFFLINE_MODEL }, "asked for");
	for (const [names, why] of listModelSources(agent, request)) {
		const [first, ...fallbacks] = names.map((name) => toChoice(name, thinking));
		if (first) return { ...first, why, isNamed: true, fallbacks };
	}
	if (request.parentModel) {
		const thinkingLevel = thinking ?? request.parentThinkingLevel;
		return alone(defined({ model: request.parentModel, thinkingLevel }), "the main agent's");
	}
	if (request.hasCredentials) return alone(defined({ thinkingLevel: thinking }), "pi's default");
	return {
		...alone({ model: OFFLINE_MODEL }, "no credentials were found"),
		notice:
			"No model credentials were found: the embedded offline navigator answers by keyword and symbol search, not by a language model. To use one, set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or log in with pi, or pass --model.",
	};
}

function listModelSources(
	agent: AgentDefinition,
	request: ModelRequest,
): readonly (readonly [names: readonly string[], why: string])[] {
	const ofAgent = agent.model === undefined ? [] : [agent.model, ...(agent.fallbackModels ?? [])];
	return [
		[toNameList(request.requested ?? ""), "asked for"],
		[ofAgent, agent.modelFrom ?? "its file"],
		[toNameList(request.configured?.model ?? ""), "subagents.model"],
	];
}

function alone(choice: ModelChoice, why: string): ChosenModel {
	return { ...choice, why, isNamed: false, fallbacks: [] };
}

/** A thinking level after the name applies to that model only, and wins. */
function toChoice(name: string, thinking: string | undefined): ModelChoice {
	if (name === "offline" || name === OFFLINE_MODEL) return { model: OFFLINE_MODEL };
	return defined({ thinkingLevel: thinking, ...splitThinking(name) });
}
