import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";

/** A database server that a test started and can kill. */
export interface QueueServer {
	readonly url: string;
	/** SIGKILL, and waits until it is gone. */
	kill(): Promise<void>;
	/** Starts it again on the same port and data. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;
const POLL_MS = 50;

/** The program of a Debian package. `.ci/run` installs it: a missing one fails. */
export function requireServer(packageName: string, candidates: readonly string[]): string {
	const found = candidates.find((path) => existsSync(path));
	if (found !== undefined) return found;
	throw new Error(`These tests need ${packageName} from Debian: apt-get install ${packageName}`);
}

export function findFreePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
		});
	});
}

export async function waitForPort(port: number): Promise<void> {
	await waitUntil(() => canConnect(port), `port ${port}`);
}

export async function waitUntil(
	isTrue: () => boolean | Promise<boolean>,
	what: string,
	deadlineMs = START_DEADLINE_MS,
): Promise<void> {
	const until = Date.now() + deadlineMs;
	while (!(await isTrue())) {
		if (Date.now() > until) throw new Error(`Waited ${deadlineMs} ms for ${what}.`);
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

function canConnect(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: "127.0.0.1" });
		socket.once("connect", () => {
			socket.destroy();
			resolve(true);
		});
		socket.once("error", () => resolve(false));
	});
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	child.kill(signal);
	await gone;
}
