import type { AgentDefinition } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";

/** `not-now` is neither yes nor no; the question may be asked again later. */
export type TrustAnswer = boolean | "not-now";

export interface TrustOptions {
	readonly policy: SubagentsConfig["projectAgents"];
	/** pi's saved decision about the project. */
	readonly projectTrust: boolean | undefined;
	readonly isApproved: (agent: AgentDefinition) => boolean;
	readonly approve: (agent: AgentDefinition) => void;
	/** Asks the user; absent without a user interface. */
	readonly confirm?: (agent: AgentDefinition) => Promise<TrustAnswer>;
	/** The name of this door's option that selects the built-in agent, if it has one. */
	readonly builtinOption?: string;
}

/**
 * An agent file that came with a repository is a stranger's prompt. It runs only if a person allowed it: for the
 * project, for exactly this content, or by configuration.
 */
export async function checkAgentTrust(agent: AgentDefinition, options: TrustOptions): Promise<void> {
	if (agent.source !== "project" || options.policy === "allow") return;
	if (options.policy === "deny") throw refuseUntrusted(agent, options, "subagents.projectAgents is deny");
	if (options.projectTrust === false)
		throw refuseUntrusted(agent, options, "this project is marked as not trusted in pi");
	if (options.projectTrust === true || options.isApproved(agent)) return;
	if (!options.confirm)
		throw refuseUntrusted(agent, options, "nobody has approved it and there is no one to ask here");
	const answer = await options.confirm(agent);
	if (answer === "not-now")
		throw refuseUntrusted(
			agent,
			options,
			'the user said "not now", and can be asked again after their next message',
		);
	if (!answer) throw refuseUntrusted(agent, options, "it was not approved");
	options.approve(agent);
}

function refuseUntrusted(agent: AgentDefinition, options: TrustOptions, reason: string): DelegationError {
	return new DelegationError(
		"SUBAGENT_DISABLED",
		`The agent ${agent.name} was not run: ${reason}. It comes from this project (${agent.file}).${describeReplaced(agent, options)} Read the file; then ${suggestTrust(agent, options)}.`,
	);
}

function describeReplaced(agent: AgentDefinition, { builtinOption }: TrustOptions): string {
	if (agent.shadows === undefined) return "";
	const way = agent.shadows === "builtin" && builtinOption ? `; ${builtinOption} runs that one instead` : "";
	return ` It replaces the ${agent.shadows} agent of that name${way}.`;
}

/** Approving one file does not help if the whole project was refused. */
function suggestTrust(agent: AgentDefinition, { policy, projectTrust }: TrustOptions): string {
	const isOpen = policy === "confirm" && projectTrust !== false;
	const one = isOpen ? `approve it with deputize agents trust ${agent.name}, ` : "";
	return `${one}trust the project in pi with /trust, or set subagents.projectAgents to "allow" in ~/.pi/agent/deputize.json`;
}
