import type { AgentDefinition } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";

export interface TrustOptions {
	readonly policy: SubagentsConfig["projectAgents"];
	/** pi's saved decision about the project. */
	readonly projectTrust: boolean | undefined;
	readonly isApproved: (agent: AgentDefinition) => boolean;
	readonly approve: (agent: AgentDefinition) => void;
	/** Asks the person; absent without a user interface. */
	readonly confirm?: (agent: AgentDefinition) => Promise<boolean>;
}

/**
 * An agent file that came with a repository is a stranger's prompt. It runs only when a person said so: for
 * the project, for this very content, or by configuration.
 */
export async function checkAgentTrust(agent: AgentDefinition, options: TrustOptions): Promise<void> {
	if (agent.source !== "project" || options.policy === "allow") return;
	if (options.policy === "deny") throw refuse(agent, "subagents.projectAgents is deny");
	if (options.projectTrust === false) throw refuse(agent, "this project is marked as not trusted in pi");
	if (options.projectTrust === true || options.isApproved(agent)) return;
	if (!options.confirm) throw refuse(agent, "nobody has approved it and there is no one to ask here");
	if (!(await options.confirm(agent))) throw refuse(agent, "it was not approved");
	options.approve(agent);
}

function refuse(agent: AgentDefinition, reason: string): DelegationError {
	const instead = agent.shadows ? ` It replaces the ${agent.shadows} agent of that name.` : "";
	return new DelegationError(
		"SUBAGENT_DISABLED",
		`The agent ${agent.name} was not run: ${reason}. It comes from this project (${agent.file}).${instead} Read the file; then trust the project in pi with /trust, or set subagents.projectAgents to "allow" in ~/.pi/agent/deputize.json.`,
	);
}
