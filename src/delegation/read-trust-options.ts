import { dirname } from "node:path";
import { defined, isInside } from "@deputize/ground";
import { openApprovedAgents } from "../agents/approved-agents.ts";
import { isListedWriter } from "../agents/find-agent-settings.ts";
import { readProjectTrust } from "../agents/read-project-trust.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import type { TrustOptions } from "./check-agent-trust.ts";
import type { DelegationContext } from "./delegation-context.ts";
import { grantTools } from "./filter-tools.ts";

/** What was decided about an agent's file so far, and who can be asked. */
export function readTrustOptions(agent: AgentDefinition, context: DelegationContext): TrustOptions {
	const { cwd, config, surroundings, host, parentTools, savedTrust, projectTrust, optionNames } = context;
	const { agentDirectory } = surroundings;
	const confirmAgent = host.confirmAgent;
	return {
		policy: config.subagents.projectAgents,
		// In a non-interactive mode "not trusted" only means that nobody was asked, so only a yes counts here. Agents are also
		// discovered above the project, so a yes counts only where it covers the agent's file.
		projectTrust:
			savedTrust === false
				? false
				: (readProjectTrust(dirname(agent.file), agentDirectory) ??
					((projectTrust === true && isInside(cwd, agent.file)) || undefined)),
		...openApprovedAgents(agentDirectory),
		...defined({
			builtinOption: optionNames.builtin,
			confirm:
				confirmAgent &&
				((asked: AgentDefinition) =>
					confirmAgent(
						asked,
						grantTools(asked, config, parentTools, isListedWriter(asked, config.subagents)),
					)),
		}),
	};
}
