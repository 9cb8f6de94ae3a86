import { discoverAgents } from "../agents/discover-agents.ts";
import { readSurroundings } from "../config/read-surroundings.ts";
import type { DiscoveredAgents } from "../contract/agent.ts";

export interface DiscoverOptions {
	/** Where a project's agents are looked for, upwards; the working directory by default. */
	readonly cwd?: string;
	/** The user's home directory; taken from the environment by default. */
	readonly home?: string;
	/** pi's own directory; `~/.pi/agent` by default. */
	readonly agentDirectory?: string;
	/** Further directories with agent files; they win over all others. */
	readonly extraDirectories?: readonly string[];
}

/** The agents a delegation in this directory could be given to, and the files that were skipped, with reasons. */
export function discoverAgentsHere(options: DiscoverOptions = {}): DiscoveredAgents {
	const { home, agentDirectory } = readSurroundings();
	return discoverAgents({ cwd: process.cwd(), home, agentDirectory, ...options });
}
