import { openApprovedAgents } from "../agents/approved-agents.ts";
import { isListedWriter } from "../agents/find-agent-settings.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";

/**
 * Whether an agent may change files, in a layer. The user listed a name; a file of that name that came with a project is
 * not meant, however trusted the project is, until a person approved exactly this content.
 */
export function isWriter(
	agent: AgentDefinition,
	config: Pick<SubagentsConfig, "writers">,
	agentDirectory: string,
): boolean {
	if (!isListedWriter(agent, config)) return false;
	return agent.source !== "project" || openApprovedAgents(agentDirectory).isApproved(agent);
}
