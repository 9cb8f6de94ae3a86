import { defined } from "@deputize/ground";
import { RUNTIME_NAMES } from "../../contract/agent.ts";
import { flag, option, type parseCommandLine, parseMilliseconds, readChoice } from "./parse-command-line.ts";
import { UsageError } from "./usage-error.ts";

/** What `run` and `batch` both take for a delegation. */
export const DELEGATION_OPTIONS = {
	cwd: option("<dir>", "work in this directory"),
	model: option("<provider/id>", 'use this model; "offline" is the embedded navigator'),
	offline: flag("no language model: search by keyword and symbol"),
	runtime: option(
		"<name>",
		"what the child is: pi, claude (Claude Code), codex, or loop, deputize's own program",
		{ choices: RUNTIME_NAMES },
	),
	"agents-dir": option("<dir>", "read agents from here too; may be repeated", { multiple: true }),
	builtin: flag("only the agents of this package, also where a project's file has the same name"),
	"timeout-ms": option("<n>", "stop after this time (default 900000)"),
	"idle-timeout-ms": option("<n>", "stop after this much silence (default 180000)"),
	json: flag("print the result as JSON"),
	"dry-run": flag("check everything, say what would be started, start nothing"),
	quiet: flag("no progress"),
};

export type DelegationArguments = ReturnType<typeof parseDelegationArguments>;

type Values = ReturnType<typeof parseCommandLine<typeof DELEGATION_OPTIONS>>["values"];

export function parseDelegationArguments(values: Omit<Values, "json" | "dry-run">) {
	const { cwd, model, offline = false, quiet = false, builtin = false } = values;
	// Directories of others would be passed over without a word.
	if (builtin && values["agents-dir"] !== undefined)
		throw new UsageError("--builtin leaves out all other agents: choose it or --agents-dir.");
	return defined({
		cwd,
		model,
		offline,
		quiet,
		runtime: readChoice(values.runtime, "--runtime", RUNTIME_NAMES),
		agentsDirectories: values["agents-dir"] ?? [],
		builtin,
		timeoutMs: parseMilliseconds(values["timeout-ms"], "--timeout-ms"),
		idleTimeoutMs: parseMilliseconds(values["idle-timeout-ms"], "--idle-timeout-ms"),
	});
}
