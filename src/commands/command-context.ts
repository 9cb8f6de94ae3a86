import { type Environment, findProject } from "@deputize/ground";
import { discoverAgents } from "../agents/discover-agents.ts";
import type { ConfigProblem } from "../config/parse-config.ts";
import { readSurroundings } from "../config/read-surroundings.ts";
import type { DiscoveredAgents } from "../contract/agent.ts";
import type { DelegationContext } from "../delegation/delegation-context.ts";
import { DEFAULT_PARENT_TOOLS, type ParentTools } from "../delegation/filter-tools.ts";
import { loadProjectConfig } from "../delegation/load-project-config.ts";
import { withoutProject } from "../process/without-project.ts";

/** What every report is about: a directory, a user and a configuration. */
export interface CommandContext
	extends ParentFacts,
		Pick<DelegationContext, "cwd" | "surroundings" | "config" | "projectTrust" | "parentTools"> {
	readonly problems: readonly ConfigProblem[];
	readonly agentsDirectories: readonly string[];
}

/** What is known inside pi. */
interface ParentFacts {
	/** Directory of the running pi's package. */
	readonly piPackage?: string;
	/** Every model pi can use, as `provider/id`. */
	readonly models?: readonly string[];
	readonly parentModel?: string | undefined;
	readonly parentThinkingLevel?: string | undefined;
}

export function createCommandContext({
	cwd,
	env,
	parentTools = DEFAULT_PARENT_TOOLS,
	agentsDirectories = [],
	...parent
}: ParentFacts & {
	readonly cwd: string;
	readonly env?: Environment;
	readonly parentTools?: ParentTools;
	readonly agentsDirectories?: readonly string[];
}): CommandContext {
	const found = readSurroundings(env);
	const { config, problems, projectTrust } = loadProjectConfig(cwd, found.agentDirectory);
	const project = findProject(cwd, found.home);
	const surroundings = projectTrust === true ? found : { ...found, env: withoutProject(found.env, project) };
	return { cwd, surroundings, config, problems, projectTrust, parentTools, agentsDirectories, ...parent };
}

/** The agents that the directory, the user and the options of a report lead to. */
export function discoverFor({ cwd, surroundings, agentsDirectories }: CommandContext): DiscoveredAgents {
	return discoverAgents({ ...surroundings, cwd, extraDirectories: agentsDirectories });
}
