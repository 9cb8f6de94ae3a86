import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readProjectTrust } from "../../../agents/read-project-trust.ts";
import { loadConfig } from "../../../config/load-config.ts";
import { createErrorMarker } from "../mark-errors.ts";
import { injectPolicy } from "./inject-policy.ts";
import type { PiLibrary } from "./pi-library.ts";
import { registerSubagent } from "./register-subagent.ts";
import { reportProblems } from "./report-problems.ts";

/** Everything the package does in a parent. Nothing is started here: pi also loads extensions to list them. */
export function openParent(pi: ExtensionAPI, library: PiLibrary): void {
	const cwd = process.cwd();
	const agentDirectory = library.getAgentDir();
	const projectTrusted = readProjectTrust(cwd, agentDirectory) === true;
	const { config, problems } = loadConfig({ cwd, agentDirectory, projectTrusted });
	if (problems.length > 0) reportProblems(pi, problems);
	const markError = createErrorMarker(pi);
	if (config.subagents.enabled) {
		registerSubagent(pi, library, { config: config.subagents, markError });
		if (config.subagents.injectDelegationPolicy)
			injectPolicy(pi, { config: config.subagents, agentDirectory });
	}
}
