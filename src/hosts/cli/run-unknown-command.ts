import { findNearWord } from "@deputize/ground";
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
	const commands = COMMANDS.map((row) => row.name);
	const near = findNearWord(name, [...commands, ...agents]);
	const advice =
		near === undefined ? `Commands: ${commands.join(", ")}. Try: deputize --help` : `Did you mean ${near}?`;
	return `there is no command ${JSON.stringify(name)}. ${advice}`;
}
