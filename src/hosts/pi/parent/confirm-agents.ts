import { relative } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { AgentDefinition } from "../../../contract/agent.ts";
import type { GrantedTools } from "../../../delegation/filter-tools.ts";
import { toOneLine } from "./render/pen.ts";

type ToolGrant = Pick<GrantedTools, "tools" | "withheld">;
type QuestionContext = Pick<ExtensionContext, "cwd" | "mode" | "ui">;

export interface AgentQuestions {
	confirm(
		agent: AgentDefinition,
		granted: ToolGrant,
		context: QuestionContext,
		signal?: AbortSignal,
	): Promise<boolean>;
}

const NO = "No";
const YES = "Yes, run it";
const MAX_DESCRIPTION_CHARS = 200;
const PLAIN = "\u001b[0m";

/**
 * Asks about project agents, one question at a time and one per content: parallel calls of the same agent
 * share the answer, and a no counts until the session ends, so that a model cannot ask again and again. A yes
 * is remembered on disk by whoever asked for the confirmation.
 */
export function createAgentQuestions(): AgentQuestions {
	const answers = new Map<string, Promise<boolean>>();
	let lastQuestion: Promise<unknown> = Promise.resolve();
	return {
		confirm(agent, granted, context, signal) {
			const key = `${agent.contentHash} ${agent.file}`;
			const known = answers.get(key);
			if (known !== undefined) return known;
			const answer = lastQuestion.then(() =>
				signal?.aborted ? false : ask(agent, granted, context, signal),
			);
			lastQuestion = answer.catch(() => undefined);
			answers.set(key, answer);
			const forget = (): void => void answers.delete(key);
			// A dialog closed by cancelling the run is no answer.
			answer.then(() => (signal?.aborted ? forget() : undefined), forget);
			return answer;
		},
	};
}

/**
 * In a terminal the question can appear while a person types: the key they press next must not be the yes, so
 * the no comes first there.
 */
async function ask(
	agent: AgentDefinition,
	granted: ToolGrant,
	{ cwd, mode, ui }: QuestionContext,
	signal: AbortSignal | undefined,
): Promise<boolean> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	const options = signal ? { signal } : {};
	if (mode !== "tui") return ui.confirm(title, message, options);
	// pi draws all of a question like a title, bold and in color, line by line.
	const lines = message.split("\n").map((line) => `${PLAIN}${ui.theme.fg("text", line)}`);
	const question = [title, "", ...lines].join("\n");
	return (await ui.select(question, [NO, YES], options)) === YES;
}

/** Every word of the file is a stranger's: none of them may add a line or move the cursor. */
export function describeQuestion(
	agent: AgentDefinition,
	granted: ToolGrant,
	cwd: string,
): { readonly title: string; readonly message: string } {
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
