import { defined } from "@deputize/ground";
import type { DelegateOptions } from "../../delegation/delegate-options.ts";
import { COMMAND_OPTION_NAMES } from "../../delegation/limit-names.ts";
import { checkDirectory } from "./check-directory.ts";
import type { DelegationArguments } from "./delegation-options.ts";

export function toDelegateOptions(args: Omit<DelegationArguments, "quiet">): DelegateOptions {
	const { agentsDirectories, builtin, model, runtime, timeoutMs, idleTimeoutMs, offline } = args;
	return defined({
		cwd: checkDirectory("--cwd", args.cwd ?? "."),
		agentsDirectories: agentsDirectories.map((directory) => checkDirectory("--agents-dir", directory)),
		builtinOnly: builtin,
		offline,
		model,
		runtime,
		timeoutMs,
		idleTimeoutMs,
		// Whoever reads a command's output gets all of it.
		host: { optionNames: COMMAND_OPTION_NAMES, maxResultBytes: Infinity },
	});
}
