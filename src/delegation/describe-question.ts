import { relative } from "node:path";
import type { AgentDefinition } from "../contract/agent.ts";
import { toOneLine } from "../text/to-one-line.ts";
import type { GrantedTools } from "./filter-tools.ts";

export type ToolGrant = Pick<GrantedTools, "tools" | "withheld">;

export interface AgentQuestion {
	readonly title: string;
	readonly message: string;
}

const MAX_DESCRIPTION_CHARS = 200;

/** Every word of the file is a stranger's: none of them may add a line or move the cursor. */
export function describeQuestion(agent: AgentDefinition, granted: ToolGrant, cwd: string): AgentQuestion {
	const lines = [
		`File: ${toOneLine(relative(cwd, agent.file) || agent.file)}`,
		...(agent.description
			? [`Says it is for: ${toOneLine(agent.description).slice(0, MAX_DESCRIPTION_CHARS)}`]
			: []),
		`Tools it gets: ${toOneLine(granted.tools.join(", ") || "none")}`,
		...(granted.withheld.length > 0
			? [`Tools it asks for and does not get: ${toOneLine(granted.withheld.join(", "))}`]
			: []),
		...(agent.model ? [`Model it names: ${toOneLine(agent.model)}`] : []),
		...(agent.shadows ? [`It replaces the ${agent.shadows} agent of the same name.`] : []),
		"Its text becomes the instructions of a subagent. Read the file before you say yes.",
		"The answer is for this content; a changed file is asked about again.",
	];
	return {
		title: `Run the agent "${toOneLine(agent.name)}" that came with this project?`,
		message: lines.join("\n"),
	};
}
