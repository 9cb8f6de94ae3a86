import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readProjectTrust } from "../../../agents/read-project-trust.ts";
import { loadConfig } from "../../../config/load-config.ts";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import type { DeputizeConfig } from "../../../contract/config.ts";
import { createErrorMarker } from "../mark-errors.ts";
import { watchExplicitTrust } from "./explicit-trust.ts";
import { injectPolicy } from "./inject-policy.ts";
import { offerOwnTools } from "./offer-own-tools.ts";
import type { ParentContext } from "./parent-context.ts";
import { pickLibrary } from "./pi-library.ts";
import { registerMentions } from "./register-mentions.ts";
import { registerSubagent } from "./register-subagent.ts";
import { registerToolkit } from "./register-toolkit.ts";

/**
 * Everything the package does in a parent. Nothing is started here, because pi also loads extensions just to list
 * them, and hardly anything is loaded: the registered parts load the rest on first use.
 */
export function openParent(pi: ExtensionAPI, ...packages: Parameters<typeof pickLibrary>): void {
	const library = pickLibrary(...packages);
	const surroundings = readSurroundings();
	const { agentDirectory } = surroundings;
	const cwd = process.cwd();
	const projectTrusted = readProjectTrust(cwd, agentDirectory) === true;
	const { config, problems } = loadConfig({ cwd, agentDirectory, projectTrusted });
	if (problems.length > 0 || namesAgents(config)) {
		pi.on("session_start", async (_event, context) => {
			const { reportProblems } = await import("./report-problems.ts");
			reportProblems({ problems, config, surroundings, cwd }, context);
		});
	}
	const context: ParentContext = {
		config,
		surroundings,
		markError: createErrorMarker(pi),
		library,
		readExplicitTrust: watchExplicitTrust(pi, library, process.argv),
	};
	const { openLsp } = offerOwnTools(pi, context);
	const delegations = config.subagents.enabled ? registerSubagent(pi, { ...context, openLsp }) : undefined;
	registerToolkit(pi, library, delegations);
	if (delegations) registerMentions(pi, library, delegations);
	if (!config.subagents.enabled) return;
	if (config.subagents.injectDelegationPolicy) {
		injectPolicy(pi, { config: config.subagents, agentDirectory });
	}
}

/** Only then can a name be misspelled, and only then are agents looked for at the start. */
function namesAgents({ subagents: { agents, writers, disabledAgents } }: DeputizeConfig): boolean {
	return Object.keys(agents).length + writers.length + disabledAgents.length > 0;
}
