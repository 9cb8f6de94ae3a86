import { type Environment, fingerprint } from "@deputize/ground";
import { runGit } from "../../process/run-git.ts";
import { BatchError } from "../batch-error.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";

const MAX_DIFF_BYTES = 64 * 1024 * 1024;
const NO_REPOSITORY = "no-repository";

/**
 * What a directory contains, as far as Git knows: commit, place in the repository, and a hash of what was changed since.
 * Two machines with the same identity give their agents the same tracked files.
 */
export async function readWorkspaceIdentity(directory: string, env: Environment): Promise<string> {
	const place = await askGit(["rev-parse", "HEAD", "--show-prefix"], directory, env);
	if (place === undefined) return NO_REPOSITORY;
	const [commit = "", prefix = ""] = place.toString("utf8").split("\n");
	const changes = await askGit(
		["diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv"],
		directory,
		env,
	);
	const changed = changes === undefined || changes.length === 0 ? "" : `+${fingerprint(changes, 16)}`;
	return `${commit}${prefix === "" ? "" : `:${prefix}`}${changed}`;
}

/** Undefined where there is no repository or no commit yet. */
async function askGit(args: readonly string[], cwd: string, env: Environment): Promise<Buffer | undefined> {
	const ending = await runGit({
		args,
		cwd,
		env,
		timeoutMs: BATCH_LIMITS.gitTimeoutMs,
		maxStdoutBytes: MAX_DIFF_BYTES,
	});
	if (ending.reason === "exit" && ending.exitCode === 0) return ending.stdout;
	if (/not a git repository|unknown revision|ambiguous argument 'HEAD'/.test(ending.stderr)) return undefined;
	throw new BatchError(
		`The state of ${cwd} cannot be read with git: ${(ending.message ?? ending.stderr.trim()) || ending.reason}`,
	);
}
