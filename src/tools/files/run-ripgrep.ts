import { relative, sep } from "node:path";
import { type Environment, splitLines, ToolError } from "@deputize/ground";
import type { Judge } from "../../judge/create-judge.ts";
import type { CommandEnding } from "../../process/run-command.ts";

interface RipgrepPlace {
	readonly cwd: string;
	readonly env: Environment;
	readonly signal: AbortSignal;
}

export interface RipgrepAnswer {
	readonly lines: readonly string[];
	/** Why there may be more matches; absent if these are all. */
	readonly incomplete?: string;
	/** Paths that could not be read and were not searched. */
	readonly unreadable: readonly string[];
}

const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const MAX_MEMORY_MB = 1024;
/** How ripgrep reports a path it could not read. Anything else on stderr is about the search as a whole. */
const UNREADABLE = /^(?:rg: )?(?:\.\/)?(.+): .+ \(os error \d+\)$/;

/**
 * Runs ripgrep in a directory. One directory that may not be read does not hide what was found elsewhere: ripgrep then
 * prints its matches and exits with 2.
 */
export async function runRipgrep(args: readonly string[], place: RipgrepPlace): Promise<RipgrepAnswer> {
	// Loaded here because it brings twenty modules that many children never use.
	const { findRipgrep } = await import("../../process/find-ripgrep.ts");
	const { runCommand } = await import("../../process/run-command.ts");
	const command = findRipgrep(place.env);
	if (command === undefined)
		throw new ToolError("SEARCH_FAILED", "ripgrep is not available on this machine; install it.");
	const ending = await runCommand({
		command,
		args: ["--no-config", "--no-follow", "--color=never", ...args],
		cwd: place.cwd,
		// No RIPGREP_CONFIG_PATH, and no PATH to find a helper program in.
		env: {},
		signal: place.signal,
		maxStdoutBytes: MAX_OUTPUT_BYTES,
		maxRssMb: MAX_MEMORY_MB,
	});
	return toAnswer(ending);
}

function toAnswer(ending: CommandEnding): RipgrepAnswer {
	if (ending.reason === "aborted") throw new ToolError("ABORTED", "the search was stopped");
	const problems = ending.stderr.split("\n").filter((line) => line.trim() !== "");
	const unreadable = problems.flatMap((line) => UNREADABLE.exec(line)?.[1] ?? []);
	const lines = splitLines(ending.stdout.toString("utf8"));
	const hasFailed =
		ending.reason !== "exit" || ((ending.exitCode ?? 2) > 1 && unreadable.length < problems.length);
	if (!hasFailed) return { lines, unreadable };
	const reason = ending.message ?? (problems.join("\n").slice(0, 500) || "ripgrep failed");
	if (lines.length === 0) throw new ToolError("SEARCH_FAILED", reason);
	return { lines, unreadable, incomplete: reason };
}

/** Options that keep ripgrep out of closed places below a directory. */
export function listExclusions(directory: string, judge: Judge): readonly string[] {
	return judge
		.closedBelow(directory)
		.map((path) => relative(directory, path).split(sep).join("/"))
		.filter((path) => path !== "")
		.map((path) => `--glob=!/${path.replace(/[\\*?[\]{}!]/g, "\\$&")}`);
}
