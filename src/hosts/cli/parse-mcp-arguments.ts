import { defined } from "@deputize/ground";
import { CLIENT_ROWS } from "../../commands/install/client-rows.ts";
import { LIMITS } from "../../contract/limits.ts";
import { checkDirectory } from "./check-directory.ts";
import type { CommandHelp } from "./command-row.ts";
import { DELEGATION_OPTIONS, parseDelegationArguments } from "./delegation-options.ts";
import { option, parseCommandLine, parseMilliseconds, parsePositiveNumber } from "./parse-command-line.ts";

const { json: _json, "dry-run": _dryRun, quiet: _quiet, ...DELEGATION } = DELEGATION_OPTIONS;

const OPTIONS = {
	...DELEGATION,
	cwd: option(
		"<dir>",
		"work in this directory (default: CLAUDE_PROJECT_DIR, the client's root, the current one)",
	),
	"answer-within-ms": option(
		"<n>",
		"answer by then, finished or not; the next call joins the run (default: what the client takes)",
	),
	"max-result-bytes": option("<n>", "longest text of one answer (default: what the client takes)"),
};

export const MCP_HELP: CommandHelp = {
	usage: [
		"mcp [options]                    started by the client, which speaks to it over stdin and stdout",
		"mcp install [client…] [--print] [--json]  add it to a client; without a client: which there are",
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
	after: { install: CLIENT_ROWS.map(({ name }) => name) },
};

export function parseMcpArguments(argv: readonly string[]) {
	const { values } = parseCommandLine(argv, OPTIONS);
	const { cwd, agentsDirectories, builtin, quiet: _, ...rest } = parseDelegationArguments(values);
	return defined({
		...rest,
		cwd: cwd === undefined ? undefined : checkDirectory("--cwd", cwd),
		builtinOnly: builtin,
		agentsDirectories: agentsDirectories.map((path) => checkDirectory("--agents-dir", path)),
		answerWithinMs: parseMilliseconds(values["answer-within-ms"], "--answer-within-ms"),
		maxResultBytes: parsePositiveNumber(values["max-result-bytes"], "--max-result-bytes", {
			max: LIMITS.maxResultBytes,
			isWhole: true,
		}),
	});
}
