import type { ChildPlan } from "../../contract/plan.ts";
import type { ToolKind } from "../../toolbox/tool-rows.ts";
import { listServedTools, TOOL_SERVER } from "../program/tool-server.ts";

/** The tool through which Claude Code takes an answer that must match a schema. */
export const CLAUDE_HANDOVER_TOOL = "StructuredOutput";

/** Claude Code's names for granted tools. The others do not exist there. */
const NAMES: Readonly<Record<string, string>> = {
	read: "Read",
	grep: "Grep",
	find: "Glob",
	ls: "Glob",
	web_search: "WebSearch",
	fetch_content: "WebFetch",
	bash: "Bash",
	edit: "Edit",
	write: "Write",
};

/** In a layer ours change files and run commands: its own commands would have the network and the key. */
export const CLAUDE_SERVED: readonly ToolKind[] = ["work"];

/** What Claude Code puts before the name of a tool of ours. */
export const CLAUDE_PREFIX = `mcp__${TOOL_SERVER}__`;

export function nameClaudeTools(plan: Pick<ChildPlan, "tools" | "worksInLayer">): readonly string[] {
	const served: readonly string[] = listServedTools(plan, CLAUDE_SERVED);
	const own = plan.tools.filter((tool) => !served.includes(tool)).map((tool) => NAMES[tool]);
	return [
		...new Set(own.filter((name) => name !== undefined)),
		...served.map((name) => `${CLAUDE_PREFIX}${name}`),
	];
}
