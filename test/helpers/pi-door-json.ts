import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { EXTENSION, MODEL, PI_SCRIPT, type PiHome } from "./pi-door-home.ts";

export interface PiEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

export interface JsonRun {
	readonly exitCode: number | null;
	readonly events: readonly PiEvent[];
	/** Every line of stdout, whether or not it is an event. */
	readonly lines: readonly string[];
	readonly stderr: string;
}

export interface ToolEnd {
	readonly toolName: string;
	readonly isError: boolean;
	readonly result: {
		readonly content: readonly { readonly text: string }[];
		readonly details: Readonly<Record<string, unknown>>;
		readonly usage?: { readonly totalTokens: number; readonly cost: { readonly total: number } };
	};
}

/** `pi --mode json` with the compiled package, to its end. */
export async function runPiJson(
	home: PiHome,
	prompt: string,
	options: {
		readonly args?: readonly string[];
		readonly env?: Readonly<Record<string, string>>;
		readonly onEvent?: (event: PiEvent, pid: number) => void;
		readonly onStart?: (child: ChildProcess) => void;
		readonly extensions?: readonly string[];
		readonly script?: string;
	} = {},
): Promise<JsonRun> {
	const extensions = (options.extensions ?? [EXTENSION]).flatMap((file) => ["-e", file]);
	const args = ["--mode", "json", "-p", "--model", MODEL, ...extensions, ...(options.args ?? [])];
	const child = spawn(process.execPath, [options.script ?? PI_SCRIPT, ...args], {
		cwd: home.project,
		env: { ...home.env, ...options.env },
		stdio: ["pipe", "pipe", "pipe"],
	});
	child.stdin.end(prompt);
	options.onStart?.(child);
	const lines: string[] = [];
	const events: PiEvent[] = [];
	let rest = "";
	let stderr = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		const parts = (rest + chunk).split("\n");
		rest = parts.pop() ?? "";
		for (const line of parts) {
			lines.push(line);
			const event = parseEvent(line);
			if (!event) continue;
			events.push(event);
			options.onEvent?.(event, child.pid ?? 0);
		}
	});
	child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
		stderr += chunk;
	});
	const exitCode = await new Promise<number | null>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", resolve);
	});
	if (rest !== "") lines.push(rest);
	return { exitCode, events, lines, stderr };
}

/** `pi -p`, to its end. */
export async function runPiPrint(
	home: PiHome,
	prompt: string,
	options: { readonly script?: string } = {},
): Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }> {
	const args = ["-p", "--model", MODEL, "-e", EXTENSION];
	const child = spawn(process.execPath, [options.script ?? PI_SCRIPT, ...args], {
		cwd: home.project,
		env: home.env,
	});
	child.stdin.end(prompt);
	const [stdout, stderr, [exitCode]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "close") as Promise<[number | null]>,
	]);
	return { exitCode, stdout, stderr };
}

export function toolEnds(run: Pick<JsonRun, "events">, name = "subagent"): readonly ToolEnd[] {
	return run.events.filter(
		(event) => event.type === "tool_execution_end" && event["toolName"] === name,
	) as unknown as readonly ToolEnd[];
}

function parseEvent(line: string): PiEvent | undefined {
	try {
		return JSON.parse(line) as PiEvent;
	} catch {
		return undefined;
	}
}
