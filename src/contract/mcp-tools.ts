/** The part of pi 1.x that connects MCP servers, as it is named on the command line. */
export const MCP_EXTENSION = "builtin:mcp";

/** pi names tools of servers `mcp__<server>__<tool>`. */
export function isMcpTool(name: string): boolean {
	return name.startsWith("mcp__");
}
