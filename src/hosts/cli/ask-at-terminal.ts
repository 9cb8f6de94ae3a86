import type { AgentDefinition } from "../../contract/agent.ts";
import { describeQuestion, type ToolGrant } from "../../delegation/describe-question.ts";
import { askYesNo, type Terminal } from "./ask-line.ts";

/** Asks at the terminal about an agent that came with the project. */
export async function askAtTerminal(
	agent: AgentDefinition,
	granted: ToolGrant,
	{ cwd, ...terminal }: Terminal & { readonly cwd: string },
): Promise<boolean> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	return askYesNo(`${title}\n${message}\n[y/N] `, terminal);
}
