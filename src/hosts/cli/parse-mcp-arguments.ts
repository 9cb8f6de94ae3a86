import { RUNTIME_NAMES } from "../../contract/agent.ts";
import { LIMITS, MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { checkDirectory } from "./check-directory.ts";
import type { CommandHelp, OptionRows } from "./command-row.ts";
import { DELEGATION_OPTIONS, parseBuiltin } from "./delegation-options.ts";
import { parseCommandLine, parsePositiveNumber, readChoice } from "./parse-command-line.ts";

const { json: _, "dry-run": __, quiet: ___, ...DELEGATION } = DELEGATION_OPTIONS;

const OPTIONS = {
	...DELEGATION,
	cwd: {
		type: "string",
		value: "<dir>",
		help: "work in this directory (default: CLAUDE_PROJECT_DIR, the client's root, the current one)",
	},
	"answer-within-ms": {
		type: "string",
		value: "<n>",
		help: "answer by then, finished or not; the next call joins the run (default: what the client takes)",
	},
	"max-result-bytes": {
		type: "string",
		value: "<n>",
		help: "longest text of one answer (default: what the client takes)",
	},
} as const satisfies OptionRows;

export const MCP_HELP: CommandHelp = {
	usage: [
		"mcp [options]                    started by the client, which speaks to it over stdin and stdout",
		"mcp install [client…] [--print]  add it to a client; without a client: which there are",
	],
	examples: [
		[
			"deputize mcp install claude codex",
			"write the entries, show what changed, keep the old files beside them",
		],
		["deputize mcp install zed --print", "show the entry and the file it belongs to, write nothing"],
	],
	options: OPTIONS,
	notes: "Clients: claude, codex, copilot, opencode, gemini, vscode (this project), cursor, zed",
	words: ["install"],
};

export function parseMcpArguments(argv: readonly string[]) {
	const { values } = parseCommandLine(argv, OPTIONS);
	const milliseconds = (name: "timeout-ms" | "idle-timeout-ms" | "answer-within-ms"): number | undefined =>
		parsePositiveNumber(values[name], `--${name}`, { max: MAX_TIMEOUT_MS, isWhole: true });
	return {
		cwd: values.cwd === undefined ? undefined : checkDirectory("--cwd", values.cwd),
		builtinOnly: parseBuiltin(values),
		agentsDirectories: (values["agents-dir"] ?? []).map((path) => checkDirectory("--agents-dir", path)),
		model: values.model,
		runtime: readChoice(values.runtime, "--runtime", RUNTIME_NAMES),
		offline: values.offline ?? false,
		timeoutMs: milliseconds("timeout-ms"),
		idleTimeoutMs: milliseconds("idle-timeout-ms"),
		answerWithinMs: milliseconds("answer-within-ms"),
		maxResultBytes: parsePositiveNumber(values["max-result-bytes"], "--max-result-bytes", {
			max: LIMITS.maxResultBytes,
			isWhole: true,
		}),
	};
}
