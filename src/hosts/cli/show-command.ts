import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import { describeContinuation } from "../../commands/describe-continuation.ts";
import { findRun, showRun } from "../../commands/show-run.ts";
import type { RunSummary } from "../../runs/run-summary.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, parseCommandLine } from "./parse-command-line.ts";
import { showRefusals } from "./show-refusals.ts";
import { showReport } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";

const OPTIONS = { json: flag("print everything as JSON") };

export const SHOW_HELP: CommandHelp = {
	usage: ["show <run or session> [--json]"],
	examples: [["deputize show 3f2a91c0", "the beginning of an id is enough; deputize logs lists them"]],
	options: OPTIONS,
};

/** `deputize show <run or session>`: everything about one run, also while it goes on. */
export function runShowCommand(argv: readonly string[]): Promise<number> {
	return showRefusals("deputize show", () => {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		const context = createCommandContext({ cwd: process.cwd() });
		const run = selectNamedRun("show", positionals, context);
		const report = showRun(run.runId, context);
		if (report === undefined) throw new UsageError(`Nothing was kept of the run ${run.runId}.`);
		showReport(report, values.json === true, ["", describeContinuation(run, context)]);
		return 0;
	});
}

export function selectNamedRun(
	command: string,
	words: readonly string[],
	context: CommandContext,
): RunSummary {
	const [id, ...more] = words;
	if (id === undefined || more.length > 0)
		throw new UsageError(`Name one run or session. Try: deputize ${command} <id>; deputize logs lists them`);
	const run = findRun(id, context);
	if (typeof run === "string") throw new UsageError(run);
	return run;
}
