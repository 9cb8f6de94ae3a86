import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { AgentDefinition } from "../../../contract/agent.ts";
import { describeQuestion, type ToolGrant } from "../../../delegation/describe-question.ts";

export type QuestionContext = Pick<ExtensionContext, "cwd" | "mode" | "ui">;

const NO = "No";
const YES = "Yes, run it";
const PLAIN = "\u001b[0m";

/**
 * In a terminal the question can appear while a person types: the key they press next must not be the yes, so
 * the no comes first there.
 */
export async function askAboutAgent(
	agent: AgentDefinition,
	granted: ToolGrant,
	{ cwd, mode, ui }: QuestionContext,
	signal?: AbortSignal,
): Promise<boolean> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	const options = signal ? { signal } : {};
	if (mode !== "tui") return ui.confirm(title, message, options);
	// pi draws all of a question like a title, bold and in color, line by line.
	const lines = message.split("\n").map((line) => `${PLAIN}${ui.theme.fg("text", line)}`);
	const question = [title, "", ...lines].join("\n");
	return (await ui.select(question, [NO, YES], options)) === YES;
}
