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

/** Starts the compiled command. `onStart` gets the process, to send signals or close pipes. */
export async function runCli(
	args: readonly string[],
	options: {
		cwd: string;
		env: Record<string, string>;
		input?: string;
		onStart?: (child: ChildProcess) => void;
	},
): Promise<CliRun> {
	const child = spawn(process.execPath, [CLI, ...args], {
		cwd: options.cwd,
		env: options.env,
		stdio: ["pipe", "pipe", "pipe"],
	});
	child.stdin.on("error", () => undefined);
	child.stdin.end(options.input ?? "");
	options.onStart?.(child);
	const [stdout, stderr, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "close"),
	]);
	return { code: code as number | null, stdout, stderr };
}
