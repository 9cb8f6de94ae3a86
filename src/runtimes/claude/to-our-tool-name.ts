import { FINALIZE_TOOL } from "../../contract/finalization.ts";
import { CLAUDE_HANDOVER_TOOL } from "./claude-tools.ts";

export function toOurToolName(tool: string): string {
	return tool === CLAUDE_HANDOVER_TOOL ? FINALIZE_TOOL : tool;
}
