import type { NavigatorCall, NavigatorToolStep } from "../navigator-tool-step.ts";
import type { Changes, LintFinding } from "./git-facts.ts";

const MAX_CHECKED_FILES = 3;
const SOURCE = /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|c|cc|cpp|cs|kt|rb|php|swift)$/;
/** As `lsp diagnostics` prints them. */
const PROBLEM = /^ {2}(\d+):\d+ {2}error(?: \[[^\]]*\])? (.+)$/;

/** Type errors are for a language server: it is asked about the changed files. */
export function planDiagnostics(changes: Changes): NavigatorCall[] {
	return changes.files
		.filter(({ path, isDeleted, added }) => SOURCE.test(path) && !isDeleted && added.length > 0)
		.slice(0, MAX_CHECKED_FILES)
		.map(({ path }) => ({ tool: "lsp", args: { action: "diagnostics", file: path, severity: "error" } }));
}

export function parseLintFindings(steps: readonly NavigatorToolStep[]): LintFinding[] {
	return steps
		.filter(({ tool, args, isError }) => tool === "lsp" && args["action"] === "diagnostics" && !isError)
		.flatMap(({ args, text }) =>
			text.split("\n").flatMap((row) => {
				const [, line = "", message = ""] = PROBLEM.exec(row) ?? [];
				return line === "" ? [] : [{ path: String(args["file"]), line: Number(line), message }];
			}),
		);
}
