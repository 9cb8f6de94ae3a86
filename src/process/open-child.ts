import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { waitWithin } from "@deputize/ground";
import { parentDeathPrefix } from "./bind-to-parent.ts";
import { createChildTree } from "./child-tree.ts";
import { explainSpawnError, explainWorkingDirectory, type SpawnProblem } from "./explain-spawn-error.ts";
import { findExecutable, readShebang } from "./find-executable.ts";
import { guardOrphans } from "./guard-orphans.ts";
import { registerLiveChild } from "./live-children.ts";
import { createLineage } from "./trace-lineage.ts";

export interface ChildSpec {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Give it a fourth pipe that stays open as long as we live: what `watchLifeline` waits on in the child. */
	readonly lifeline?: boolean;
}

export interface ExitStatus {
	readonly exitCode: number | null;
	readonly signal: string | null;
}

export interface ChildExit extends ExitStatus {
	/** Why it never ran. */
	readonly spawnError?: SpawnProblem;
}

/** A child process for which any failure to start is an exit with a message. Nothing here throws or rejects. */
export interface OpenedChild {
	readonly pid: number | undefined;
	/** Absent when it never ran. */
	readonly stdin?: Writable;
	readonly stdout?: Readable;
	readonly stderr?: Readable;
	/** Our end of the fourth pipe, where there is one. */
	readonly lifeline?: Writable;
	readonly exited: Promise<ChildExit>;
	/** It exited, and no process keeps its output open any more. */
	readonly closed: Promise<void>;
	/** SIGTERM, time to clean up, then SIGKILL to its group and to everything it was seen to have started. */
	stop(graceMs: number): Promise<void>;
	/**
	 * SIGKILL at once. Resolves when none of it is running: several milliseconds before the system has freed a large
	 * process and reports its exit.
	 */
	kill(): Promise<void>;
	/** Ends what outlived it and releases every pipe and listener. Resolves when all of that is gone. */
	dispose(): Promise<void>;
}

/** A process killed with SIGKILL is gone in milliseconds, unless it is stuck in a system call. */
const KILL_WAIT_MS = 2000;
const KILL_POLL_MS = 1;

export function openChild(spec: ChildSpec): OpenedChild {
	const problem = explainWorkingDirectory(spec.cwd);
	if (problem !== undefined) return neverRan(problem);
	const lineage = createLineage(spec.env);
	let child: ChildProcess;
	try {
		child = spawnChild(spec, lineage.env);
	} catch (error) {
		return neverRan(explainSpawnError(error, spec));
	}
	return superviseChild(child, spec, lineage.mark);
}

function spawnChild(spec: ChildSpec, env: Record<string, string>): ChildProcess {
	const [command = spec.command, ...args] = [
		...(canBeExecuted(spec, env) ? parentDeathPrefix() : []),
		spec.command,
		...spec.args,
	];
	return spawn(command, args, {
		cwd: spec.cwd,
		env,
		stdio: ["pipe", "pipe", "pipe", ...(spec.lifeline === true ? (["pipe"] as const) : [])],
		// In its own group, so that one signal reaches all of it. On Windows this would open a console window.
		detached: process.platform !== "win32",
		windowsHide: true,
	});
}

/**
 * The prefix would turn "not found" into an exit code of the prefix, so it is only put before what can run: a
 * program that is there, and whose interpreter is there when it is a script.
 */
function canBeExecuted(spec: ChildSpec, env: Record<string, string>): boolean {
	const file = findExecutable(spec.command, env, spec.cwd);
	if (file === undefined) return false;
	const interpreter = readShebang(file)?.match(/\S+/)?.[0];
	return interpreter === undefined || existsSync(interpreter);
}

function superviseChild(child: ChildProcess, spec: ChildSpec, mark: string): OpenedChild {
	const exited = new Promise<ChildExit>((resolve) => {
		child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
		child.on("error", (error) => {
			if (child.pid === undefined) {
				resolve({ exitCode: null, signal: null, spawnError: explainSpawnError(error, spec) });
			}
		});
	});
	const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
	// Node declares these as always present; when no descriptor is left for a pipe they are not.
	const pipes: readonly (Readable | Writable | null | undefined)[] = child.stdio ?? [];
	// Without a listener an error of a pipe (EPIPE when the child closed its end) would end our own process.
	for (const pipe of pipes) pipe?.on("error", ignoreError);

	const hasExited = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
	const tree = createChildTree(child.pid, mark, hasExited);
	const unregister = child.pid === undefined ? () => undefined : registerLiveChild(tree);
	const unguard = child.pid === undefined ? () => undefined : guardOrphans(spec.env);

	return {
		pid: child.pid,
		...(child.stdin ? { stdin: child.stdin } : {}),
		...(child.stdout ? { stdout: child.stdout } : {}),
		...(child.stderr ? { stderr: child.stderr } : {}),
		...(child.stdio?.[3] ? { lifeline: child.stdio[3] as Writable } : {}),
		exited,
		closed,
		async stop(graceMs) {
			if (hasExited()) return;
			tree.terminate();
			if (await waitWithin(exited, graceMs)) return;
			tree.kill();
			await waitWithin(exited, KILL_WAIT_MS);
		},
		async kill() {
			tree.kill();
			const deadline = performance.now() + KILL_WAIT_MS;
			while (!tree.hasEnded() && performance.now() < deadline) await waitWithin(exited, KILL_POLL_MS);
		},
		async dispose() {
			await tree.sweep();
			for (const pipe of pipes) pipe?.destroy();
			child.removeAllListeners("exit").removeAllListeners("close");
			child.unref();
			unregister();
			unguard();
		},
	};
}

function ignoreError(): void {
	// Every pipe failure is followed by the exit or the closing of the pipe, and that is what gets reported.
}

function neverRan(spawnError: SpawnProblem): OpenedChild {
	return {
		pid: undefined,
		exited: Promise.resolve({ exitCode: null, signal: null, spawnError }),
		closed: Promise.resolve(),
		stop: () => Promise.resolve(),
		kill: () => Promise.resolve(),
		dispose: () => Promise.resolve(),
	};
}
