import { discoverAgents } from "../agents/discover-agents.ts";
import type { DiscoveredAgents } from "../contract/agent.ts";
import type { CommandContext } from "./command-context.ts";

/** The agents that the directory, the user and the options of a report lead to. */
export function discoverFor({ cwd, surroundings, agentsDirectories }: CommandContext): DiscoveredAgents {
	return discoverAgents({ ...surroundings, cwd, extraDirectories: agentsDirectories });
}
