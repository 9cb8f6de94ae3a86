import type { Environment } from "@deputize/ground";
import { type CommandEnding, type CommandSpec, runCommand } from "./run-command.ts";

export interface GitSpec
	extends Pick<CommandSpec, "args" | "cwd" | "timeoutMs" | "maxStdoutBytes" | "signal"> {
	readonly env: Environment;
}

const CONFIG_BYTES = 1024 * 1024;
const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/i;

/**
 * Reads from a repository that may be anyone's. Its settings can name programs: hooks, file system monitors, pagers,
 * external diffs, conversions and filters. None of them is started, and nothing is locked, fetched or prompted for.
 */
export async function runGit(spec: GitSpec): Promise<CommandEnding> {
	const listing = ["config", "--list", "--name-only"];
	const { stdout } = await runGitCommand({ ...spec, maxStdoutBytes: CONFIG_BYTES }, listing);
	const names = stdout.toString("utf8").split("\n");
	const filters = new Set(names.flatMap((name) => FILTER.exec(name)?.[1] ?? []));
	const off = [...filters].flatMap((name) => [
		...["-c", `filter.${name}.clean=`, "-c", `filter.${name}.process=`],
		...["-c", `filter.${name}.required=false`],
	]);
	return runGitCommand(spec, [...off, ...spec.args]);
}

function runGitCommand({ env, ...spec }: GitSpec, args: readonly string[]): Promise<CommandEnding> {
	return runCommand({
		...spec,
		command: "git",
		args: ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", ...args],
		env: {
			PATH: env["PATH"] ?? "",
			HOME: env["HOME"] ?? "",
			LC_ALL: "C",
			GIT_OPTIONAL_LOCKS: "0",
			GIT_NO_LAZY_FETCH: "1",
			GIT_TERMINAL_PROMPT: "0",
		},
	});
}

/** For every command that shows a difference. */
export const PLAIN_DIFF = [
	"--no-ext-diff",
	"--no-textconv",
	"--no-color",
	"--ignore-submodules=all",
] as const;
