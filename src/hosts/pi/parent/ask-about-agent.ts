import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { AgentDefinition } from "../../../contract/agent.ts";
import type { TrustAnswer } from "../../../delegation/check-agent-trust.ts";
import { describeQuestion, type ToolGrant } from "../../../delegation/describe-question.ts";

export type QuestionContext = Pick<ExtensionContext, "cwd" | "mode" | "ui">;

const NOT_NOW = "Not now";
const YES = "Yes, run it";
const NO = "No, not in this session";
const PLAIN = "\u001b[0m";

/**
 * In a terminal the question can appear while a person types: the key they press next must not be the yes, nor
 * refuse the agent for good, so "not now" comes first, and Esc means it. Programs that talk to pi over RPC get the
 * same three answers, and a dialog they cancel puts the question off too.
 */
export async function askAboutAgent(
	agent: AgentDefinition,
	granted: ToolGrant,
	{ cwd, mode, ui }: QuestionContext,
	signal?: AbortSignal,
): Promise<TrustAnswer> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	// pi's terminal draws all of a question like a title, bold and in color, line by line.
	const draw = (line: string): string => (mode === "tui" ? `${PLAIN}${ui.theme.fg("text", line)}` : line);
	const question = [title, "", ...message.split("\n").map(draw)].join("\n");
	const chosen = await ui.select(question, [NOT_NOW, YES, NO], signal ? { signal } : {});
	return chosen === YES || (chosen === NO ? false : "not-now");
}
