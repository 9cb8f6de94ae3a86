import { FINALIZE_TOOL } from "../../contract/finalization.ts";
import { CLAUDE_HANDOVER_TOOL, CLAUDE_PREFIX } from "./claude-tools.ts";

export function toOurToolName(tool: string): string {
	if (tool === CLAUDE_HANDOVER_TOOL) return FINALIZE_TOOL;
	return tool.startsWith(CLAUDE_PREFIX) ? tool.slice(CLAUDE_PREFIX.length) : tool;
}
