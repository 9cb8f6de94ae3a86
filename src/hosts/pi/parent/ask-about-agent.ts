import type { AgentDefinition } from "../../../contract/agent.ts";
import type { TrustAnswer } from "../../../delegation/check-agent-trust.ts";
import { describeQuestion, type ToolGrant } from "../../../delegation/describe-question.ts";
import type { QuestionContext } from "./toolkit/show-agent-question.ts";

const NOT_NOW = "Not now";
const YES = "Yes, run it";
const NO = "No, not in this session";

/**
 * In a terminal the question can appear while a person types: what they type next must not be the yes, nor refuse the
 * agent for good, so "not now" comes first, and Esc means it. Programs that talk to pi over RPC get the same three
 * answers, and a dialog they cancel puts the question off too.
 */
export async function askAboutAgent(
	agent: AgentDefinition,
	granted: ToolGrant,
	context: QuestionContext,
	signal?: AbortSignal,
): Promise<TrustAnswer> {
	const question = describeQuestion(agent, granted, context.cwd);
	if (context.mode === "tui") {
		const { showAgentQuestion } = await import("./toolkit/show-agent-question.ts");
		const answers = [
			{ label: NOT_NOW, value: "not-now" },
			{ label: YES, value: true },
			{ label: NO, value: false },
		] as const;
		return showAgentQuestion(agent, { ...question, answers }, context, signal);
	}
	const text = [question.title, "", question.message].join("\n");
	const chosen = await context.ui.select(text, [NOT_NOW, YES, NO], signal ? { signal } : {});
	return chosen === YES || (chosen === NO ? false : "not-now");
}
