import { defined } from "@deputize/ground";
import { findShippedRipgrep } from "../process/find-ripgrep.ts";
import { runCommand } from "../process/run-command.ts";

const MAX_LISTING_BYTES = 64 * 1024 * 1024;

/** Paths below a directory, without what .gitignore excludes. A directory that may not be entered is left out. */
export function listTreeFiles(root: string, signal?: AbortSignal): Promise<readonly string[]> {
	return askRipgrep(["--files", "--sort", "path"], root, signal);
}

/** How many files there are with those that .gitignore and the like exclude. */
export async function countAllFiles(root: string, signal?: AbortSignal): Promise<number> {
	return (await askRipgrep(["--files", "--no-ignore"], root, signal)).length;
}

/** The files that contain a text literally. */
export function listFilesWith(text: string, root: string, signal?: AbortSignal): Promise<readonly string[]> {
	return askRipgrep(["--files-with-matches", "--fixed-strings", `--regexp=${text}`, "./"], root, signal);
}

async function askRipgrep(
	args: readonly string[],
	root: string,
	signal: AbortSignal | undefined,
): Promise<readonly string[]> {
	const ripgrep = findShippedRipgrep();
	if (ripgrep === undefined) throw new Error("ripgrep is not available on this platform");
	const ending = await runCommand({
		command: ripgrep,
		args: ["--hidden", "--no-require-git", "--no-messages", "--null", "--glob", "!.git/", ...args],
		cwd: root,
		env: {},
		maxStdoutBytes: MAX_LISTING_BYTES,
		...defined({ signal }),
	});
	const listed = ending.stdout.toString("utf8");
	// Exit code 2 with a listing: some directory could not be read, the others were.
	if (ending.reason !== "exit" || (ending.exitCode === 2 && listed === ""))
		throw new Error(ending.message ?? (ending.stderr.trim() || `the listing ended early: ${ending.reason}`));
	return listed
		.split("\0")
		.filter((path) => path !== "")
		.map((path) => path.replace(/^\.\//, ""));
}
