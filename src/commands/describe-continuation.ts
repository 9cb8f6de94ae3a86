import { existsSync } from "node:fs";
import { locateSession } from "../runs/read-run-detail.ts";
import type { RunSummary } from "../runs/run-summary.ts";
import { readSessionHeader } from "../sessions/check-session-file.ts";
import type { CommandContext } from "./command-context.ts";

/** The command that goes on with a run in a terminal, or why there is none. */
export function describeContinuation(
	run: RunSummary,
	{ surroundings }: Pick<CommandContext, "surroundings">,
): string {
	if (run.state === "running") return `${run.agent} is still at work. Stop it, or wait until it is done.`;
	const file = locateSession(run, surroundings);
	if (file === undefined || !existsSync(file))
		return `Nothing was kept of ${run.agent} that could be continued.`;
	const runtime = readSessionHeader(file)?.runtime ?? "pi";
	const options = `${runtime === "pi" ? "" : `--runtime ${runtime} `}--session ${run.sessionId}`;
	return [
		// pi can open what it wrote itself.
		...(runtime === "pi" ? [`pi --session ${quote(file)}`] : []),
		`deputize run ${run.agent} ${options} "…"`,
	].join("\n");
}

/** For a shell, where it needs that. */
function quote(path: string): string {
	return /^[\w./~@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
