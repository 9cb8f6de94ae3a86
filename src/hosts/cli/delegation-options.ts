import { RUNTIME_NAMES } from "../../contract/agent.ts";
import { defined } from "../../json/defined.ts";
import type { OptionRows } from "./command-row.ts";
import { type parseCommandLine, parseMilliseconds, readChoice } from "./parse-command-line.ts";
import { UsageError } from "./usage-error.ts";

/** What `run` and `batch` both take for a delegation. */
export const DELEGATION_OPTIONS = {
	cwd: { type: "string", value: "<dir>", help: "work in this directory" },
	model: {
		type: "string",
		value: "<provider/id>",
		help: 'use this model; "offline" is the embedded navigator',
	},
	offline: { type: "boolean", help: "no language model: search by keyword and symbol" },
	runtime: {
		type: "string",
		value: "<name>",
		help: "what the child is: pi, claude (Claude Code), codex, or loop, deputize's own program",
		choices: RUNTIME_NAMES,
	},
	"agents-dir": {
		type: "string",
		multiple: true,
		value: "<dir>",
		help: "read agents from here too; may be repeated",
	},
	builtin: {
		type: "boolean",
		help: "only the agents of this package, also where a project's file has the same name",
	},
	"timeout-ms": { type: "string", value: "<n>", help: "stop after this time (default 900000)" },
	"idle-timeout-ms": { type: "string", value: "<n>", help: "stop after this much silence (default 180000)" },
	json: { type: "boolean", help: "print the result as JSON" },
	"dry-run": { type: "boolean", help: "check everything, say what would be started, start nothing" },
	quiet: { type: "boolean", help: "no progress" },
} as const satisfies OptionRows;

export type DelegationArguments = ReturnType<typeof parseDelegationArguments>;

type Values = ReturnType<typeof parseCommandLine<typeof DELEGATION_OPTIONS>>["values"];

export function parseDelegationArguments(values: Omit<Values, "json" | "dry-run">) {
	const { cwd, model, offline = false, quiet = false } = values;
	return defined({
		cwd,
		model,
		offline,
		quiet,
		runtime: readChoice(values.runtime, "--runtime", RUNTIME_NAMES),
		agentsDirectories: values["agents-dir"] ?? [],
		builtin: parseBuiltin(values),
		timeoutMs: parseMilliseconds(values["timeout-ms"], "--timeout-ms"),
		idleTimeoutMs: parseMilliseconds(values["idle-timeout-ms"], "--idle-timeout-ms"),
	});
}

/** True when only the agents of the package count. Directories of others beside it would be passed over without a word. */
function parseBuiltin(values: {
	readonly builtin?: boolean;
	readonly "agents-dir"?: readonly string[];
}): boolean {
	if (values.builtin && values["agents-dir"] !== undefined)
		throw new UsageError("--builtin leaves out all other agents: choose it or --agents-dir.");
	return values.builtin ?? false;
}
