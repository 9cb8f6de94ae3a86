import { defined } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import type { AgentSettings, SubagentsConfig } from "../contract/config.ts";
import { findAgentSettings } from "./find-agent-settings.ts";
import { toNameList } from "./parse-frontmatter.ts";

type AgentsConfig = Pick<SubagentsConfig, "agents" | "maxTurns" | "maxCost">;

/**
 * The agent as it runs under a configuration. What the user granted to an agent by its name is not for a file of that
 * name that came with a project: it gets neither the tools nor the model, and only what limits it counts.
 */
export function applyAgentSettings(agent: AgentDefinition, config: AgentsConfig): AgentDefinition {
	const found = findAgentSettings(agent.name, config);
	const settings = found?.settings ?? {};
	const { maxTurns: _, maxCost: __, ...rest } = agent;
	return {
		...rest,
		...(found === undefined || agent.source === "project" ? {} : chooseForUser(settings, found.path)),
		...defined({
			maxTurns: smallest([agent.maxTurns, settings.maxTurns, config.maxTurns]),
			maxCost: smallest([agent.maxCost, settings.maxCost, config.maxCost]),
		}),
	};
}

function chooseForUser({ model, thinking, tools }: AgentSettings, path: string): Partial<AgentDefinition> {
	const [first, ...others] = toNameList(model ?? "");
	return {
		...(first === undefined ? {} : { model: first, fallbackModels: others, modelFrom: `${path}.model` }),
		...defined({ thinking }),
		...(tools === undefined
			? {}
			: { tools: { kind: "allow" as const, names: tools }, toolsFrom: `${path}.tools` }),
	};
}

function smallest(bounds: readonly (number | false | undefined)[]): number | undefined {
	const set = bounds.filter((bound) => typeof bound === "number");
	return set.length === 0 ? undefined : Math.min(...set);
}
