import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const CLI = join(import.meta.dirname, "../../dist/cli.js");

export interface CliRun {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

interface RunOptions {
	cwd: string;
	env: Readonly<Record<string, string>>;
	input?: string;
	/** The input does not end before the program does. */
	staysOpen?: boolean;
	onStart?: (child: ChildProcess) => void;
}

/** Starts the compiled command. `onStart` gets the process, to send signals or close pipes. */
export function runCli(args: readonly string[], options: RunOptions): Promise<CliRun> {
	return runProgram(process.execPath, [CLI, ...args], options);
}

export async function runProgram(
	command: string,
	args: readonly string[],
	options: RunOptions,
): Promise<CliRun> {
	const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ["pipe", "pipe", "pipe"] });
	child.stdin.on("error", () => undefined);
	child.stdin.write(options.input ?? "");
	if (options.staysOpen !== true) child.stdin.end();
	options.onStart?.(child);
	const [stdout, stderr, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "close"),
	]);
	return { code: code as number | null, stdout, stderr };
}
