import { type DiscoverAgentsOptions, discoverAgents } from "../agents/discover-agents.ts";
import { readSurroundings } from "../config/read-surroundings.ts";
import type { DiscoveredAgents } from "../contract/agent.ts";

/** By default the working directory of this process, and the user's directories as the environment has them. */
export type DiscoverOptions = Partial<
	Pick<DiscoverAgentsOptions, "cwd" | "home" | "agentDirectory" | "extraDirectories">
>;

/** The agents a delegation in this directory could be given to, and the files that were skipped, with reasons. */
export function discoverAgentsHere(options: DiscoverOptions = {}): DiscoveredAgents {
	const { home, agentDirectory } = readSurroundings();
	return discoverAgents({ cwd: process.cwd(), home, agentDirectory, ...options });
}
