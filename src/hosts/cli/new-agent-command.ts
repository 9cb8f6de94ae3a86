import { createCommandContext } from "../../commands/command-context.ts";
import {
	checkAgentName,
	type NewAgent,
	TOOL_SETS,
	type ToolSetName,
	writeNewAgent,
} from "../../commands/new-agent.ts";
import { askLine } from "./ask-line.ts";
import { checkDirectory } from "./check-directory.ts";
import { flag, option, parseCommandLine, readChoice } from "./parse-command-line.ts";
import { showRefusals } from "./show-refusals.ts";
import { renderForTerminal } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";

const TOOL_NAMES = Object.keys(TOOL_SETS) as readonly ToolSetName[];
const OPTIONS = {
	description: option("<text>", "what it is for; the parent's model chooses by it"),
	tools: option("<set>", "read (files; the default), web (and the web) or none", { choices: TOOL_NAMES }),
	project: flag("for this project, in .pi/agents, instead of for you"),
	cwd: option("<dir>", "the directory of the project"),
	json: flag("print name and file as JSON"),
};

/** `deputize agents new <name>`: writes an agent file. Asks for what was not given where there is somebody to ask. */
export function runNewAgentCommand(argv: readonly string[]): Promise<number> {
	return showRefusals("deputize agents new", async () => {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		if (positionals.length > 1) throw new UsageError(`Name one agent, not ${positionals.join(" ")}.`);
		const context = createCommandContext({ cwd: checkDirectory("--cwd", values.cwd ?? ".") });
		const name = positionals[0] ?? (await ask("Name: ", "the name of the agent"));
		const problem = checkAgentName(name, context);
		if (problem) throw new UsageError(problem);
		const agent: NewAgent = {
			name,
			description: values.description ?? (await ask("What is it for, in one line? ", "--description <text>")),
			tools: readChoice(values.tools, "--tools", TOOL_NAMES) ?? "read",
			place: values.project ? "project" : "user",
		};
		const report = writeNewAgent(agent, context);
		const text = values.json ? JSON.stringify(report.data) : renderForTerminal(report);
		process.stdout.write(`${text}\n`);
		return 0;
	});
}

/** A program that has no terminal is told what to give (`missing`) instead of being left waiting. */
async function ask(question: string, missing: string): Promise<string> {
	const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
	const terminal = { input: process.stdin, output: process.stderr };
	const answer = canAsk ? (await askLine(question, terminal))?.trim() : undefined;
	if (!answer) throw new UsageError(`Missing ${missing}.`);
	return answer;
}
