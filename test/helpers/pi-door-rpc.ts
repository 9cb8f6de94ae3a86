import { spawn } from "node:child_process";
import { once } from "node:events";
import { EXTENSION, MODEL, PI_SCRIPT, type PiHome } from "./pi-door-home.ts";
import type { PiEvent } from "./pi-door-json.ts";

/** `pi --mode rpc`: commands in, events out, one JSON object per line each. */
export interface RpcSession {
	readonly events: readonly PiEvent[];
	/** Lines of stdout that are no JSON. */
	readonly stray: readonly string[];
	send(command: object): void;
	waitFor(matches: (event: PiEvent) => boolean): Promise<PiEvent>;
	/** Sends a command of an extension and gives the next notification it leads to. */
	notified(command: string): Promise<PiEvent>;
	/** SIGKILL. */
	kill(): Promise<void>;
	close(): Promise<void>;
}

export function openRpc(
	home: PiHome,
	options: { readonly script?: string; readonly args?: readonly string[] } = {},
): RpcSession {
	const args = ["--mode", "rpc", "--model", MODEL, "-e", EXTENSION, ...(options.args ?? [])];
	const child = spawn(process.execPath, [options.script ?? PI_SCRIPT, ...args], {
		cwd: home.project,
		env: home.env,
		stdio: ["pipe", "pipe", "ignore"],
	});
	const events: PiEvent[] = [];
	const stray: string[] = [];
	const waiting: { matches: (event: PiEvent) => boolean; resolve: (event: PiEvent) => void }[] = [];
	let rest = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			let event: PiEvent;
			try {
				event = JSON.parse(line) as PiEvent;
			} catch {
				stray.push(line);
				continue;
			}
			events.push(event);
			for (const waiter of waiting.filter(({ matches }) => matches(event))) waiter.resolve(event);
		}
	});
	const send = (command: object): void => void child.stdin.write(`${JSON.stringify(command)}\n`);
	const waitFor = (matches: (event: PiEvent) => boolean): Promise<PiEvent> =>
		new Promise((resolve) => {
			const known = events.find(matches);
			if (known) resolve(known);
			else waiting.push({ matches, resolve });
		});
	return {
		events,
		stray,
		send,
		waitFor,
		notified(command) {
			const before = new Set(events);
			send({ type: "prompt", message: command });
			return waitFor(
				(event) =>
					event.type === "extension_ui_request" && event["method"] === "notify" && !before.has(event),
			);
		},
		async kill() {
			child.kill("SIGKILL");
			await once(child, "exit");
		},
		async close() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.stdin.end();
			await once(child, "exit");
			if (rest !== "") stray.push(rest);
		},
	};
}
