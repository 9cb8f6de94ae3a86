import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ten processes that compute all the time on the processor that this process, and whatever it starts meanwhile, is confined to:
 * as twenty are on a machine with two, without keeping other tests from the other one. Returns how to end that.
 */
export function startNeighbours(): () => Promise<void> {
	const mayUse = (list: string): void =>
		void execFileSync("taskset", ["-pc", list, String(process.pid)], { stdio: "ignore" });
	const before =
		/^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "0";
	mayUse(/^\d+/.exec(before)?.[0] ?? "0");
	const neighbours = Array.from({ length: 10 }, () =>
		spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }),
	);
	return async () => {
		const ends = neighbours.map((neighbour) => once(neighbour, "exit"));
		for (const neighbour of neighbours) neighbour.kill("SIGKILL");
		await Promise.all(ends);
		mayUse(before);
	};
}

/** Lets a process and everything below it run for a part of the time only, as a small quota of a container does, until it ends. */
export async function throttle(
	child: ChildProcess,
	{ onMs, offMs }: { onMs: number; offMs: number },
): Promise<void> {
	const { pid = 0 } = child;
	const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
	while (!hasEnded()) {
		signalTree(pid, "SIGSTOP");
		await sleep(offMs);
		signalTree(pid, "SIGCONT");
		await sleep(onMs);
	}
}

function signalTree(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
		const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
		for (const child of children.split(" ").filter(Boolean)) signalTree(Number(child), signal);
	} catch {
		// It has just ended.
	}
}
