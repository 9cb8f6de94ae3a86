import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSseParser } from "../../src/loop/http/parse-sse.ts";

export const LOOP_PROGRAM = fileURLToPath(new URL("../../dist/loop.js", import.meta.url));

export interface ProgramEvent {
	readonly event: string;
	readonly data: { readonly id: string; readonly delta: string; readonly type: string };
}

export interface ProgramEnding {
	readonly exitCode: number | null;
	readonly signal: string | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly events: readonly ProgramEvent[];
	/** All `output_text` together. */
	readonly text: string;
	/** The one line of JSON on stderr. */
	readonly error: { code: string; message: string; status?: number; retryable: boolean } | undefined;
}

export interface RunningProgram {
	readonly child: ChildProcess;
	readonly ended: Promise<ProgramEnding>;
}

export function startProgram(
	payload: unknown,
	options: { args?: readonly string[]; env?: Record<string, string>; cwd?: string } = {},
): RunningProgram {
	const child = spawn(process.execPath, [LOOP_PROGRAM, ...(options.args ?? [])], {
		cwd: options.cwd,
		env: { PATH: process.env["PATH"] ?? "", TEST_KEY: "test-key-0123456789", ...options.env },
		stdio: ["pipe", "pipe", "pipe"],
	});
	const ended = new Promise<ProgramEnding>((resolve) => {
		const stdout: Buffer[] = [];
		const stderr: Buffer[] = [];
		child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
		child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
		child.on("close", (exitCode, signal) => {
			const out = Buffer.concat(stdout).toString("utf8");
			const err = Buffer.concat(stderr).toString("utf8");
			const events = parseEvents(out);
			resolve({
				exitCode,
				signal,
				stdout: out,
				stderr: err,
				events,
				text: events
					.filter(({ event }) => event === "output_text")
					.map(({ data }) => data.delta)
					.join(""),
				error: err.trim() === "" ? undefined : JSON.parse(err.trim().split("\n").at(-1) ?? ""),
			});
		});
	});
	child.stdin?.on("error", () => undefined);
	child.stdin?.end(typeof payload === "string" ? payload : JSON.stringify(payload));
	return { child, ended };
}

export function runProgram(...args: Parameters<typeof startProgram>): Promise<ProgramEnding> {
	return startProgram(...args).ended;
}

function parseEvents(stdout: string): ProgramEvent[] {
	const events: ProgramEvent[] = [];
	const parser = createSseParser({
		maxEventChars: 64 * 1024 * 1024,
		onEvent: ({ event, data }) => {
			if (event !== "") events.push({ event, data: JSON.parse(data) });
		},
	});
	parser.push(Buffer.from(stdout));
	parser.end();
	return events;
}

export const BASE_PAYLOAD = {
	model: "test-model",
	provider: "openai-responses",
	url: "http://127.0.0.1:1/v1/responses",
	api_key_name: "TEST_KEY",
	prompt: "What is the capital of France?",
	temperature: 0.8,
	max_tokens: 8192,
} as const;
