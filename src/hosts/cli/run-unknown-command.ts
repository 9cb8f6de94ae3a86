import { suggestWord } from "@deputize/ground";
import { COMMANDS, findCommand } from "./command-table.ts";
import { listAgentNames } from "./list-agent-names.ts";
import { showError } from "./show-error.ts";

/** `deputize explorer "…"` is `deputize run explorer "…"`. Everything else is a mistake, with what was probably meant. */
export async function runUnknownCommand(name: string, rest: readonly string[]): Promise<number> {
	const agents = listAgentNames();
	const run = findCommand("run");
	if (run !== undefined && agents.some((agent) => agent.toLowerCase() === name.toLowerCase())) {
		return run.run([name, ...rest]);
	}
	showError("deputize", suggestCommand(name, agents));
	return 2;
}

export function suggestCommand(name: string, agents: readonly string[] = []): string {
	if (name.startsWith("-"))
		return `there is no option ${JSON.stringify(name)}. ${suggestWord(name, ["--version", "--help"], "Options")}`;
	const commands = COMMANDS.map((row) => row.name);
	return `there is no command ${JSON.stringify(name)}. ${suggestWord(name, [...commands, ...agents], "Commands and agents")}`;
}
