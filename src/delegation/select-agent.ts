import { basename } from "node:path";
import type { AgentDefinition, DiscoveredAgents } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";

/** The agent of that name, or an error that lists the names there are. */
export function selectAgent(
	name: string,
	discovered: DiscoveredAgents,
	config: SubagentsConfig,
): AgentDefinition {
	const agent =
		discovered.agents.find((candidate) => candidate.name === name) ??
		discovered.agents.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
	if (!agent) throw new DelegationError("UNKNOWN_AGENT", describeUnknown(name, discovered));
	if (config.disabledAgents.some((disabled) => disabled.toLowerCase() === agent.name.toLowerCase())) {
		throw new DelegationError(
			"SUBAGENT_DISABLED",
			`The agent ${agent.name} is switched off by subagents.disabledAgents in deputize.json.`,
		);
	}
	return agent;
}

function describeUnknown(name: string, discovered: DiscoveredAgents): string {
	const available = discovered.agents.map((agent) => agent.name).join(", ") || "none";
	const message = `Unknown agent: ${name}. Available agents: ${available}`;
	const skipped = discovered.skipped.find(
		({ file }) =>
			basename(file)
				.replace(/\.(md|markdown)$/i, "")
				.toLowerCase() === name.toLowerCase(),
	);
	return skipped ? `${message}. The file ${skipped.file} was skipped: ${skipped.reason}.` : message;
}
