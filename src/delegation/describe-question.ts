import { relative } from "node:path";
import { formatCount, toOneLine } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import type { GrantedTools } from "./filter-tools.ts";

export type ToolGrant = Pick<GrantedTools, "tools" | "withheld">;

const MAX_DESCRIPTION_CHARS = 200;
const MAX_PROMPT_LINES = 5;
const MAX_PROMPT_LINE_CHARS = 100;

/**
 * The question about an agent that came with a project, the same at every door. Every word of the file is a stranger's:
 * none of them may add a line, move the cursor or look like a line of ours.
 */
export function describeQuestion(agent: AgentDefinition, granted: ToolGrant, cwd: string) {
	return {
		title: `Run the agent "${toOneLine(agent.name)}" that came with this project?`,
		message: [
			// Some clients show one line below the title and hide the rest: this is what nobody may miss.
			`Read the file before you say yes: its text becomes the instructions of a subagent with ${describeGrant(granted)}.`,
			...describeAgentGrant(agent, granted, cwd),
			"The answer is for this content; a changed file, skill or schema is asked about again.",
		].join("\n"),
	};
}

function describeGrant({ tools }: ToolGrant): string {
	return tools.length === 0 ? "no tools" : `the tools ${toOneLine(tools.join(", "))}`;
}

/** What a yes allows: the file, the tools, the model, and how its text begins. */
export function describeAgentGrant(
	agent: AgentDefinition,
	granted: ToolGrant,
	cwd: string,
): readonly string[] {
	return [
		`File: ${toOneLine(relative(cwd, agent.file) || agent.file)}`,
		...(agent.description
			? [`Says it is for: ${toOneLine(agent.description).slice(0, MAX_DESCRIPTION_CHARS)}`]
			: []),
		`Tools it gets: ${toOneLine(granted.tools.join(", ") || "none")}`,
		...describeSkills(agent),
		...(agent.output
			? [`Schema of its answer: ${toOneLine(JSON.stringify(agent.output)).slice(0, MAX_DESCRIPTION_CHARS)}`]
			: []),
		...(granted.withheld.length > 0
			? [`Tools it asks for and does not get: ${toOneLine(granted.withheld.join(", "))}`]
			: []),
		agent.model
			? `Model it names: ${toOneLine([agent.model, ...(agent.fallbackModels ?? [])].join(", "))}`
			: "Model: the one in use here",
		...(agent.shadows ? [`It replaces the ${agent.shadows} agent of the same name.`] : []),
		...quoteBeginning(agent.prompt),
	];
}

const SHOWN_HASH_CHARS = 12;

function describeSkills({ skillHashes = {} }: AgentDefinition): readonly string[] {
	const skills = Object.entries(skillHashes).map(
		([name, hash]) => `${toOneLine(name)} (${hash === "" ? "not there" : hash.slice(0, SHOWN_HASH_CHARS)})`,
	);
	return skills.length === 0 ? [] : [`Skills of the project it follows: ${skills.join(", ")}`];
}

function quoteBeginning(prompt: string): readonly string[] {
	const lines = prompt.split(/\r\n|[\r\n]/).flatMap((line) => toOneLine(line) || []);
	const more = lines.length - MAX_PROMPT_LINES;
	return [
		...lines.slice(0, MAX_PROMPT_LINES).map((line) => `  | ${line.slice(0, MAX_PROMPT_LINE_CHARS)}`),
		...(more > 0 ? [`  | … and ${formatCount(more, "more line")}`] : []),
	];
}
