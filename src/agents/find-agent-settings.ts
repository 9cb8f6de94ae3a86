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

/** The key that switches an agent off; undefined when none does. */
export function findSwitchOff(
	name: string,
	config: Pick<SubagentsConfig, "agents" | "disabledAgents">,
): string | undefined {
	if (config.disabledAgents.some((disabled) => disabled.toLowerCase() === name.toLowerCase()))
		return "subagents.disabledAgents";
	const found = findAgentSettings(name, config);
	return found?.settings.disabled ? `${found.path}.disabled` : undefined;
}
