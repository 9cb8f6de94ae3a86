import { dirname } from "node:path";
import { openApprovedAgents } from "../agents/approved-agents.ts";
import { discoverAgents } from "../agents/discover-agents.ts";
import { findSwitchOff, isListedWriter } from "../agents/find-agent-settings.ts";
import { readProjectTrust } from "../agents/read-project-trust.ts";
import { readSurroundings } from "../config/read-surroundings.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";
import type { AdvertisedAgent } from "./render-policy.ts";

/** The agents the parent's model knows about. */
export function listAdvertised(
	config: SubagentsConfig,
	agentDirectory: string,
	context: {
		readonly cwd: string;
		readonly hasUI: boolean;
		/** Further directories, as for `delegate`. */
		readonly agentsDirectories?: readonly string[];
		readonly builtinOnly?: boolean;
	},
): readonly AdvertisedAgent[] {
	const { cwd, hasUI, agentsDirectories = [], builtinOnly = false } = context;
	const { home } = readSurroundings();
	const approved = openApprovedAgents(agentDirectory);
	return discoverAgents({ cwd, home, agentDirectory, extraDirectories: agentsDirectories, builtinOnly })
		.agents.filter((agent) => findSwitchOff(agent, config) === undefined)
		.flatMap((agent) => {
			// This is a part of every start of pi: the decision is looked up only where it matters.
			const trust =
				agent.source === "project" ? readProjectTrust(dirname(agent.file), agentDirectory) : undefined;
			return advertise(agent, { config, trust, hasUI, approved });
		});
}

/**
 * The description of a project's agent is a stranger's text and reaches the prompt only after a person said
 * yes to it. Until then its name is enough to ask for it, and where nobody can be asked it is left out.
 */
export function advertise(
	agent: AgentDefinition,
	options: {
		readonly config: Pick<SubagentsConfig, "projectAgents" | "allowWrite" | "writers" | "isolation">;
		readonly trust: boolean | undefined;
		readonly hasUI: boolean;
		readonly approved: { isApproved(agent: AgentDefinition): boolean };
	},
): readonly AdvertisedAgent[] {
	const { name, description } = agent;
	const { projectAgents: policy } = options.config;
	const writes = describeWriting(agent, options);
	const advertised = [{ name, description, ...writes }];
	if (agent.source !== "project" || policy === "allow") return advertised;
	if (policy === "deny" || options.trust === false) return [];
	if (options.trust === true || options.approved.isApproved(agent)) return advertised;
	return options.hasUI
		? [{ name, description: "from this project; the user is asked first", ...writes }]
		: [];
}

/** A listed agent of a project that nobody has approved yet would be asked about, and work in a layer after a yes. */
function describeWriting(
	agent: AgentDefinition,
	{ config, approved, hasUI }: Parameters<typeof advertise>[1],
): Pick<AdvertisedAgent, "writes"> {
	const isTrusted = agent.source !== "project" || hasUI || approved.isApproved(agent);
	const writes = config.isolation === "in-place" ? "in-place" : "layer";
	if (isListedWriter(agent, config)) return isTrusted ? { writes } : {};
	return config.allowWrite && !agent.readonly ? { writes: "in-place" } : {};
}
