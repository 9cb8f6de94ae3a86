import { type Environment, splitLines } from "@deputize/ground";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool, MissingTool, ToolOutcome } from "../../contract/tool.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import type { Workspace } from "../../sandbox/workspace.ts";
import {
	COMMAND_PARAMETERS,
	DEFAULT_COMMAND_SECONDS,
	MAX_COMMAND_LINES,
	MAX_COMMAND_OUTPUT_BYTES,
} from "./command-limits.ts";
import { type CommandPlace, confineCommand } from "./confine-command.ts";
import { keepEnd } from "./keep-end.ts";

const SHELL = "/bin/bash";

/** `bash` for a child that works in a layer, and `try_command` for one whose layer is thrown away. */
export async function createCommandTool(
	name: "bash" | "try_command",
	options: {
		readonly workspace: Workspace | undefined;
		readonly env: Environment;
		readonly temporaryDirectory: () => string;
	},
): Promise<HostNeutralTool | MissingTool> {
	const { workspace, env } = options;
	if (workspace === undefined) return { missing: `${name} exists only for an agent that works in a layer.` };
	const { sandbox } = workspace;
	if (sandbox === undefined) return { missing: `${name}: no sandbox works here, so no command is run.` };
	const place: CommandPlace = {
		workspace: { ...workspace, sandbox },
		env,
		temporaryDirectory: options.temporaryDirectory(),
	};
	const problem = await probeCommands(place);
	if (problem !== undefined) return { missing: `${name}: a command cannot be confined here: ${problem}` };
	return {
		name,
		label: name,
		description: describe(name, workspace),
		parameters: COMMAND_PARAMETERS,
		async execute(input, { cwd, signal }) {
			const { command, timeout = DEFAULT_COMMAND_SECONDS } = parseToolInput(input, COMMAND_PARAMETERS);
			// In the first line, so that a mistake in the command is reported in its output too.
			// Bash takes a socket as its input for a login from elsewhere, and would read the user's settings.
			const shell = { command: SHELL, args: ["--norc", "-c", `exec 2>&1\n${command}`] };
			const ending = await runCommand({
				...confineCommand(shell, cwd, place),
				cwd,
				signal,
				timeoutMs: timeout * 1000,
				maxStdoutBytes: MAX_COMMAND_OUTPUT_BYTES,
				maxRssMb: workspace.memoryMb,
			});
			return toCommandOutcome(ending, timeout, workspace);
		},
	};
}

function describe(name: string, { network }: Workspace): string {
	const what =
		name === "bash"
			? "Execute a bash command in the project."
			: "Execute a bash command in a copy of the project that is thrown away: run tests, a build, a linter, git log. Nothing it changes is kept.";
	const bounds = network ? "" : " There is no network but the command's own loopback.";
	return `${what}${bounds} Returns stdout and stderr, the last ${MAX_COMMAND_LINES} lines or 50KB. Nothing it starts goes on after it ends. It can write to the project and to /tmp only.`;
}

/** Containers and kernels often allow one sandbox but none inside of it. */
async function probeCommands(place: CommandPlace): Promise<string | undefined> {
	const { root } = place.workspace;
	const { reason, exitCode, stderr, message } = await runCommand({
		...confineCommand({ command: SHELL, args: ["-c", "exit 0"] }, root, place),
		cwd: root,
		maxStdoutBytes: 1024,
	});
	if (reason === "exit" && exitCode === 0) return undefined;
	return message ?? (stderr.trim() || `exit code ${exitCode}`);
}

function toCommandOutcome(ending: CommandEnding, seconds: number, { memoryMb }: Workspace): ToolOutcome {
	const { text, notice } = keepEnd(splitLines(ending.stdout.toString("utf8")), MAX_COMMAND_LINES);
	// What the sandbox itself says, when it could not start.
	const said = [text, ending.stderr.trim()].filter((part) => part !== "").join("\n");
	const output = said === "" ? "(no output)" : said;
	const shown = notice === undefined ? output : `${output}\n\n[${notice}]`;
	const stopped = describeStop(ending, seconds, memoryMb);
	if (stopped !== undefined)
		return { text: `${stopped}\n\n${shown}`, details: { exitCode: null }, isError: true };
	const exitCode = ending.exitCode ?? FAILED_BY_SIGNAL;
	return exitCode === 0
		? { text: shown, details: { exitCode }, isError: false }
		: { text: `${shown}\n\nCommand exited with code ${exitCode}`, details: { exitCode }, isError: true };
}

/** As a shell reports a program that a signal ended. */
const FAILED_BY_SIGNAL = 128;

function describeStop(
	{ reason, message }: CommandEnding,
	seconds: number,
	memoryMb: number,
): string | undefined {
	switch (reason) {
		case "exit":
			return undefined;
		case "timeout":
			return `COMMAND_TIMEOUT: The command did not finish within ${seconds} s and was stopped. Give it more with timeout, or run less.`;
		case "memory-limit":
			return `COMMAND_MEMORY: The command was stopped: it used more than ${memoryMb} MB of memory.`;
		case "output-limit":
			return `COMMAND_OUTPUT: The command was stopped: it printed more than ${MAX_COMMAND_OUTPUT_BYTES} bytes. Print less, or into a file.`;
		case "aborted":
			return "COMMAND_STOPPED: The command was stopped.";
		case "spawn-error":
			return `COMMAND_FAILED: The command did not start: ${message ?? "unknown reason"}`;
	}
}
