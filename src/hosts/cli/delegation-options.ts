import type { OptionNames } from "../../delegation/limit-names.ts";
import { UsageError } from "./usage-error.ts";

/** What `run` and `batch` both take for a delegation, for `parseArgs`. */
export const DELEGATION_OPTIONS = {
	cwd: { type: "string" },
	model: { type: "string" },
	runtime: { type: "string" },
	"agents-dir": { type: "string", multiple: true },
	builtin: { type: "boolean" },
	"timeout-ms": { type: "string" },
	"idle-timeout-ms": { type: "string" },
	offline: { type: "boolean" },
	json: { type: "boolean" },
	"dry-run": { type: "boolean" },
	quiet: { type: "boolean" },
	help: { type: "boolean", short: "h" },
} as const;

/** What messages about a delegation call its options. */
export const CLI_OPTION_NAMES: OptionNames = {
	builtin: "--builtin",
	timeoutMs: "--timeout-ms",
	idleTimeoutMs: "--idle-timeout-ms",
};

/** True when only the agents of the package count. Directories of others beside it would be passed over without a word. */
export function readBuiltin(values: {
	readonly builtin?: boolean;
	readonly "agents-dir"?: readonly string[];
}): boolean {
	if (values.builtin && values["agents-dir"] !== undefined)
		throw new UsageError("--builtin leaves out all other agents: choose it or --agents-dir.");
	return values.builtin ?? false;
}
