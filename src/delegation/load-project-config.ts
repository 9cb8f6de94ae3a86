import { readProjectTrust } from "../agents/read-project-trust.ts";
import { loadConfig } from "../config/load-config.ts";

/** The configuration that counts in a directory: the project's own part only where the user trusts the project. */
export function loadProjectConfig(
	cwd: string,
	agentDirectory: string,
): ReturnType<typeof loadConfig> & { readonly projectTrust: boolean | undefined } {
	const projectTrust = readProjectTrust(cwd, agentDirectory);
	return { ...loadConfig({ cwd, agentDirectory, projectTrusted: projectTrust === true }), projectTrust };
}
