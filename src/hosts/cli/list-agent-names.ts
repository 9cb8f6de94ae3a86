import { discoverAgents } from "../../agents/discover-agents.ts";
import { readSurroundings } from "../../config/read-surroundings.ts";

/** In the present directory; options that name another are not looked at for this. */
export function listAgentNames(): readonly string[] {
	const { home, agentDirectory } = readSurroundings();
	return discoverAgents({ cwd: process.cwd(), home, agentDirectory }).agents.map((agent) => agent.name);
}
