import type { AgentDefinition } from "../contract/agent.ts";
import type { AgentSettings, SubagentsConfig } from "../contract/config.ts";

/** What the configuration says about one agent, and under which key. */
interface FoundAgentSettings {
	/** Such as `subagents.agents.explorer`. */
	readonly path: string;
	readonly settings: AgentSettings;
}

export function findAgentSettings(
	name: string,
	{ agents }: Pick<SubagentsConfig, "agents">,
): FoundAgentSettings | undefined {
	const found = Object.entries(agents).find(([known]) => known.toLowerCase() === name.toLowerCase());
	return found && { path: `subagents.agents.${found[0]}`, settings: found[1] };
}

/** Whether the user's configuration lets this agent change files, in a layer. */
export function isListedWriter(
	{ name, readonly }: Pick<AgentDefinition, "name" | "readonly">,
	{ writers }: Pick<SubagentsConfig, "writers">,
): boolean {
	return !readonly && writers.some((writer) => writer.toLowerCase() === name.toLowerCase());
}

/** In place of a key: what is missing. */
export const UNLISTED = "subagents.writers, which does not list it";

/** The key that switches an agent off; undefined when none does. Of ours, one that changes files is off until it is listed. */
export function findSwitchOff(
	agent: Pick<AgentDefinition, "name" | "source" | "readonly">,
	config: Pick<SubagentsConfig, "agents" | "disabledAgents" | "writers">,
): string | undefined {
	const { name } = agent;
	if (config.disabledAgents.some((disabled) => disabled.toLowerCase() === name.toLowerCase()))
		return "subagents.disabledAgents";
	const found = findAgentSettings(name, config);
	if (found?.settings.disabled) return `${found.path}.disabled`;
	const isOff = agent.source === "builtin" && !agent.readonly && !isListedWriter(agent, config);
	return isOff ? UNLISTED : undefined;
}
