import type { DelegateOptions } from "../../delegation/delegate-options.ts";
import { defined } from "../../json/defined.ts";
import { checkDirectory } from "./check-directory.ts";
import { CLI_OPTION_NAMES } from "./delegation-options.ts";
import type { RunArguments } from "./parse-run-arguments.ts";

/** What `run` and `batch` have in common, see `DELEGATION_OPTIONS`. */
type DelegationArguments = Pick<
	RunArguments,
	"cwd" | "agentsDirectories" | "builtin" | "offline" | "model" | "runtime" | "timeoutMs" | "idleTimeoutMs"
>;

export function toDelegateOptions(args: DelegationArguments): DelegateOptions {
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
		host: { optionNames: CLI_OPTION_NAMES },
	});
}
