import { parse, relative, sep } from "node:path";
import { canonicalPath, defined, type Environment } from "@deputize/ground";
import { findExecutable } from "../process/find-executable.ts";
import { type CommandEnding, runCommand } from "../process/run-command.ts";
import { buildGitEnvironment } from "./build-git-environment.ts";
import { checkOwners } from "./check-owners.ts";
import type { WrapCommand } from "./confine-git.ts";
import { findRepository } from "./find-repository.ts";
import { GitError } from "./git-error.ts";

export interface GitPlace {
	readonly directory: string;
	readonly env: Environment;
	readonly timeoutMs: number;
	readonly signal?: AbortSignal | undefined;
	/** Starts a program in a sandbox without network; absent where none works. */
	readonly wrap?: WrapCommand | undefined;
	/** Why a real path may not be looked at. A pointer in a repository can lead anywhere. */
	readonly explainClosed?: (realPath: string) => string | undefined;
}

/** A repository that may be anyone's. Its settings, attributes and hooks start no program, and nothing in it is changed. */
export interface Repository {
	/** The directory with `.git` in it, without links. */
	readonly top: string;
	readonly gitDirectory: string;
	/** From the top to the directory that was asked for: empty, or with `/` at its end. */
	readonly prefix: string;
	/** Undefined when there is no commit yet. */
	readonly head: string | undefined;
	/** What a command that reads objects or names says. Rejects with a `GitError` when it failed or was cut off. */
	git(args: readonly string[], options?: GitCall): Promise<Buffer>;
}

interface GitCall {
	readonly input?: string;
	readonly maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** The first that takes all of our settings from the environment. */
const OLDEST = { major: 2, minor: 32 };

/** Undefined when there is no repository around the directory. Rejects with a `GitError` when there is one that is not read. */
export async function openRepository(place: GitPlace): Promise<Repository | undefined> {
	const found = findRepository(place.directory);
	if (found === undefined) return undefined;
	const { top, gitDirectory, places } = found;
	for (const path of places) {
		const reason = place.explainClosed?.(path);
		if (reason !== undefined) throw new GitError(`The repository at ${top} leads to ${path}: ${reason}`);
	}
	const env = buildGitEnvironment(found, place.env);
	const program = findExecutable("git", env);
	if (program === undefined) throw new GitError("git was not found on PATH. Install Git.");
	await checkOwners(found, { program, env: place.env });
	const ask = (args: readonly string[], { input, maxBytes = MAX_BYTES }: GitCall = {}) =>
		runCommand({
			...(place.wrap ?? asItIs)(program, ["--no-pager", ...args]),
			// No file of the repository is relative to it.
			cwd: parse(top).root,
			env,
			timeoutMs: place.timeoutMs,
			maxStdoutBytes: maxBytes,
			...defined({ input, signal: place.signal }),
		});
	const git: Repository["git"] = async (args, call) => {
		const ending = await ask(args, call);
		if (ending.reason === "exit" && ending.exitCode === 0) return ending.stdout;
		throw toGitError(args, ending);
	};
	checkVersion((await git(["version"])).toString("utf8"));
	const head = await ask(["rev-parse", "--verify", "--quiet", "HEAD"]);
	// Without a word: the branch has no commit yet.
	const isUnborn = head.reason === "exit" && head.exitCode === 1 && head.stderr.trim() === "";
	if (head.exitCode !== 0 && !isUnborn) throw toGitError(["rev-parse", "HEAD"], head);
	const way = relative(top, canonicalPath(place.directory)).split(sep).join("/");
	return {
		top,
		gitDirectory,
		prefix: way === "" ? "" : `${way}/`,
		head: isUnborn ? undefined : head.stdout.toString("utf8").trim(),
		git,
	};
}

function asItIs(command: string, args: readonly string[]): ReturnType<WrapCommand> {
	return { command, args };
}

export function toGitError(
	args: readonly string[],
	{ message, stderr, reason, exitCode }: CommandEnding,
): GitError {
	const words = message ?? (stderr.trim() || (reason === "exit" ? `exit code ${exitCode}` : reason));
	return new GitError(`git ${args[0]}: ${words}`);
}

function checkVersion(text: string): void {
	const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(text) ?? [];
	const isEnough =
		Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
	if (!isEnough)
		throw new GitError(
			`${text.trim()} is too old: ${OLDEST.major}.${OLDEST.minor} is the first that can be kept from a repository's settings. Install a newer Git.`,
		);
}
