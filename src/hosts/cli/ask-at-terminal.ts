import { createInterface } from "node:readline";
import type { AgentDefinition } from "../../contract/agent.ts";
import { describeQuestion, type ToolGrant } from "../../delegation/describe-question.ts";

export interface TerminalQuestion {
	readonly cwd: string;
	readonly signal: AbortSignal;
	readonly input: NodeJS.ReadableStream;
	readonly output: NodeJS.WritableStream;
}

/** Asks at the terminal about an agent that came with the project. Anything but a clear yes is a no. */
export function askAtTerminal(
	agent: AgentDefinition,
	granted: ToolGrant,
	{ cwd, signal, input, output }: TerminalQuestion,
): Promise<boolean> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	output.write(`${title}\n${message}\n[y/N] `);
	// Not `terminal`: Ctrl-C stays a signal that stops the run.
	const lines = createInterface({ input, terminal: false });
	return new Promise((resolve) => {
		const settle = (answer: boolean): void => {
			signal.removeEventListener("abort", refuse);
			resolve(answer);
			lines.close();
		};
		const refuse = (): void => settle(false);
		lines.once("line", (line) => settle(/^y(es)?$/i.test(line.trim())));
		// Ctrl-D is no answer.
		lines.once("close", refuse);
		signal.addEventListener("abort", refuse, { once: true });
		if (signal.aborted) refuse();
	});
}
