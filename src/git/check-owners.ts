import { statSync } from "node:fs";
import { join, parse } from "node:path";
import { canonicalPath, type Environment, isInside, statIfThere } from "@deputize/ground";
import { runCommand } from "../process/run-command.ts";
import type { FoundRepository } from "./find-repository.ts";
import { GitError } from "./git-error.ts";

const MAX_BYTES = 1024 * 1024;

/**
 * Git's own rule, which it does not apply when it is told where the repository is: one that belongs to somebody else is
 * read only when the user has named it in `safe.directory`.
 */
export async function checkOwners(
	{ top, places }: FoundRepository,
	asked: { readonly program: string; readonly env: Environment },
): Promise<void> {
	const me = process.getuid?.();
	if (me === undefined) return;
	const foreign = [top, join(top, ".git"), ...places].find((path) => {
		const owner = statIfThere(path)?.uid ?? me;
		return owner !== me && !(me === 0 && String(owner) === asked.env["SUDO_UID"]);
	});
	if (foreign === undefined || (await listSafeDirectories(asked)).some((safe) => covers(safe, top))) return;
	const where = foreign === top ? "" : `: ${foreign}`;
	throw new GitError(
		`detected dubious ownership in repository at '${top}'${where} belongs to user ${statSync(foreign).uid}, and you are ${me}. If you trust it: git config --global --add safe.directory ${top}`,
	);
}

/** None where the user's settings may not be read, as in the sandbox of a child. */
async function listSafeDirectories({
	program,
	env,
}: {
	readonly program: string;
	readonly env: Environment;
}): Promise<readonly string[]> {
	const ending = await runCommand({
		command: program,
		args: ["config", "--null", "--type=path", "--get-all", "safe.directory"],
		cwd: parse(program).root,
		// The settings of the user and the machine, and of no repository.
		env: { HOME: env["HOME"] ?? "", GIT_DIR: "/no-repository", LC_ALL: "C" },
		maxStdoutBytes: MAX_BYTES,
	});
	const named = ending.exitCode === 0 ? ending.stdout.toString("utf8").split("\0").slice(0, -1) : [];
	// An empty one takes back those before it.
	return named.slice(named.lastIndexOf("") + 1);
}

function covers(safe: string, top: string): boolean {
	if (safe === "*") return true;
	return safe.endsWith("/*") ? isInside(canonicalPath(safe.slice(0, -2)), top) : canonicalPath(safe) === top;
}
