import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { toEnvironment } from "./client-home.ts";
import type { ClientHome, Launch } from "./client-table.ts";

export const GONE_MS = 15_000;

export interface DrivenClient {
	readonly client: ChildProcess;
	readonly exited: Promise<number | null>;
	output(): string;
}

export function startClient(home: ClientHome, launch: Launch): DrivenClient {
	const client = spawn(launch.program, launch.args, {
		cwd: home.project,
		env: toEnvironment(home, launch),
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const pipe of [client.stdout, client.stderr])
		pipe.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
	const exited = new Promise<number | null>((resolve) => client.on("exit", resolve));
	return { client, exited, output: () => output };
}

/** What a client without a terminal printed. It is killed after `timeoutMs`. */
export async function runClient(home: ClientHome, launch: Launch, timeoutMs: number): Promise<string> {
	const { client, exited, output } = startClient(home, launch);
	const timer = setTimeout(() => client.kill("SIGKILL"), timeoutMs);
	await exited;
	clearTimeout(timer);
	if (process.env["CLIENT_OUTPUT"]) writeFileSync(process.env["CLIENT_OUTPUT"], output());
	return output();
}

export async function until(test: () => boolean, waitMs: number): Promise<boolean> {
	for (let waited = 0; waited < waitMs; waited += 100) {
		if (test()) return true;
		await sleep(100);
	}
	return test();
}

/** No process that was started with this home exists any more. */
export const nothingLeft = (home: Pick<ClientHome, "home">): Promise<boolean> =>
	until(() => listProcessesOf(home.home).length === 0, GONE_MS);
