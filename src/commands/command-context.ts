import type { ConfigProblem } from "../config/parse-config.ts";
import { readSurroundings, type Surroundings } from "../config/read-surroundings.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import type { Environment } from "../contract/environment.ts";
import { DEFAULT_PARENT_TOOLS, type ParentTools } from "../delegation/filter-tools.ts";
import { loadProjectConfig } from "../delegation/load-project-config.ts";
import { defined } from "../json/defined.ts";

/** What every report is about: a directory, a user and a configuration. */
export interface CommandContext {
	readonly cwd: string;
	readonly surroundings: Surroundings;
	readonly config: DeputizeConfig;
	readonly problems: readonly ConfigProblem[];
	readonly projectTrust: boolean | undefined;
	readonly parentTools: ParentTools;
	readonly agentsDirectories: readonly string[];
	/** Directory of the running pi's package, inside pi. */
	readonly piPackage?: string;
	/** Every model pi can use, as `provider/id`, where that is known. */
	readonly models?: readonly string[];
	/** The main agent's model and thinking level, inside pi. */
	readonly parentModel?: string;
	readonly parentThinkingLevel?: string;
}

export function createCommandContext(options: {
	readonly cwd: string;
	readonly env?: Environment;
	readonly parentTools?: ParentTools;
	readonly agentsDirectories?: readonly string[];
	readonly piPackage?: string;
	readonly models?: readonly string[];
	readonly parentModel?: string | undefined;
	readonly parentThinkingLevel?: string | undefined;
}): CommandContext {
	const surroundings = readSurroundings(options.env);
	const { agentDirectory } = surroundings;
	const { config, problems, projectTrust } = loadProjectConfig(options.cwd, agentDirectory);
	return {
		cwd: options.cwd,
		surroundings,
		config,
		problems,
		projectTrust,
		parentTools: options.parentTools ?? DEFAULT_PARENT_TOOLS,
		agentsDirectories: options.agentsDirectories ?? [],
		...defined({
			piPackage: options.piPackage,
			models: options.models,
			parentModel: options.parentModel,
			parentThinkingLevel: options.parentThinkingLevel,
		}),
	};
}
