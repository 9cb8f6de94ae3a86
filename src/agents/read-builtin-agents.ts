import { locatePackageFile } from "../entry-points.ts";
import { type AgentDirectory, readAgentDirectory } from "./read-agent-directory.ts";

/**
 * The agents that ship with the package are found from this module's own location. Looking for them from
 * the working directory would let a repository pass its files off as built in.
 */
export const BUILTIN_AGENTS_DIRECTORY = locatePackageFile("agents");

/**
 * In `dist/` the answer is compiled in (`scripts/compile-agents.mjs`): every start of pi needs the list, and reading the files with code
 * that has just been loaded took five milliseconds of it.
 */
export function readBuiltinAgents(): AgentDirectory {
	return readAgentDirectory(BUILTIN_AGENTS_DIRECTORY, "builtin");
}
