import { createCommandContext } from "../../commands/command-context.ts";
import { BY_DEFAULT, setAgentModel } from "../../commands/set-agent-model.ts";
import { THINKING_LEVELS } from "../../contract/thinking.ts";
import { checkDirectory } from "./check-directory.ts";
import { flag, option, parseCommandLine } from "./parse-command-line.ts";
import { showRefusals } from "./show-refusals.ts";
import { showReport } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";

const OPTIONS = {
	model: option("<model>", `its model; several with commas; ${BY_DEFAULT} takes it back`),
	thinking: option("<level>", `its thinking level; ${BY_DEFAULT} takes it back`, {
		choices: [...THINKING_LEVELS, BY_DEFAULT],
	}),
	cwd: option("<dir>", "look from this directory"),
	json: flag("print the report as JSON"),
};

/** `deputize agents set <name>`: which model an agent asks, in the user's own configuration. */
export function runSetAgentCommand(argv: readonly string[]): Promise<number> {
	return showRefusals("deputize agents set", async () => {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		const [name, ...more] = positionals;
		const { model, thinking } = values;
		if (name === undefined || more.length > 0 || (model === undefined && thinking === undefined))
			throw new UsageError(
				`Name one agent and what to set. Try: deputize agents set ${name ?? "explorer"} --model ollama/qwen3:8b`,
			);
		const context = createCommandContext({ cwd: checkDirectory("--cwd", values.cwd ?? ".") });
		showReport(await setAgentModel(name, { model, thinking }, context), values.json === true);
		return 0;
	});
}
