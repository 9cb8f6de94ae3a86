import { createRequire } from "node:module";
import type { McpDoor, McpServerOptions } from "../../contract/mcp.ts";
import { locateEntryPoint } from "../../entry-points.ts";

const DEFAULT_OPTIONS: McpServerOptions = { agentsDirectories: [], builtinOnly: false, offline: false };

/**
 * Serves an MCP client; resolves with the exit code. How soon the first answer comes decides whether some clients see
 * the tool at all, so nothing is loaded that this start does not need.
 */
export function serveMcp(options: McpServerOptions = DEFAULT_OPTIONS): Promise<number> {
	const door = createRequire(import.meta.url)(locateEntryPoint("mcp")) as McpDoor;
	return door.serveStdio(options);
}
