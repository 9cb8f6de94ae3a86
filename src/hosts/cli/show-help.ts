import { findCommand } from "./command-table.ts";
import { renderCommandHelp, renderHelpOverview } from "./render-help.ts";
import { suggestCommand } from "./run-unknown-command.ts";
import { showError } from "./show-error.ts";

/** `deputize --help`, `deputize help run`, `deputize run --help`. Not asked for, it is an answer to a wrong command line. */
export async function showHelp(
	name: string | undefined,
	{ isAsked }: { readonly isAsked: boolean },
): Promise<number> {
	if (name === undefined) {
		process.stdout.write(renderHelpOverview());
		return isAsked ? 0 : 2;
	}
	const command = findCommand(name);
	if (command === undefined) {
		showError("deputize help", suggestCommand(name));
		return 2;
	}
	if (command.help === undefined) return command.run(["--help"]);
	process.stdout.write(renderCommandHelp(command, await command.help()));
	return 0;
}
