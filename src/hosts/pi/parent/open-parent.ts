import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readProjectTrust } from "../../../agents/read-project-trust.ts";
import { loadConfig } from "../../../config/load-config.ts";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import { createErrorMarker } from "../mark-errors.ts";
import { injectPolicy } from "./inject-policy.ts";
import type { PiLibrary } from "./pi-library.ts";
import { registerOwnTools } from "./register-own-tools.ts";
import { registerSubagent } from "./register-subagent.ts";
import { registerToolkit } from "./register-toolkit.ts";
import { reportProblems } from "./report-problems.ts";
import { shareLanguageServers } from "./share-language-servers.ts";
import { watchEdits } from "./watch-edits.ts";

/** Everything the package does in a parent. Nothing is started here: pi also loads extensions to list them. */
export async function openParent(pi: ExtensionAPI, library: PiLibrary): Promise<void> {
	const cwd = process.cwd();
	const { home } = readSurroundings();
	const agentDirectory = library.getAgentDir();
	const projectTrusted = readProjectTrust(cwd, agentDirectory) === true;
	const { config, problems } = loadConfig({ cwd, agentDirectory, projectTrusted });
	if (problems.length > 0) reportProblems(pi, problems);
	const markError = createErrorMarker(pi);
	registerToolkit(pi, library);
	const lsp = await registerOwnTools(pi, library, { config, home, markError });
	if (lsp) watchEdits(pi, lsp, config.lsp);
	if (!config.subagents.enabled) return;
	const share = lsp && config.lsp.shareWithChildren && config.subagents.allowLspTools;
	registerSubagent(pi, library, {
		config: config.subagents,
		markError,
		...(share ? { languageServers: shareLanguageServers(lsp, agentDirectory) } : {}),
	});
	if (config.subagents.injectDelegationPolicy) {
		injectPolicy(pi, { config: config.subagents, agentDirectory });
	}
}
