import type { AgentDefinition } from "../../contract/agent.ts";
import { describeQuestion, type ToolGrant } from "../../delegation/describe-question.ts";
import { askLine, type Terminal } from "./ask-line.ts";

/** Asks at the terminal about an agent that came with the project. Anything but a clear yes is a no. */
export async function askAtTerminal(
	agent: AgentDefinition,
	granted: ToolGrant,
	{ cwd, ...terminal }: Terminal & { readonly cwd: string },
): Promise<boolean> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	const answer = await askLine(`${title}\n${message}\n[y/N] `, terminal);
	return /^y(es)?$/i.test(answer?.trim() ?? "");
}
