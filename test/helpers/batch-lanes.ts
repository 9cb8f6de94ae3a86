import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BatchOptions } from "../../src/batch/batch-options.ts";
import type { BatchTask, ExecuteTask, TaskOutcome, TaskResult } from "../../src/batch/batch-record.ts";
import { runWorker, type WorkerOptions } from "../../src/batch/queue/run-worker.ts";
import type { QueueServer } from "./queue-server.ts";
import { startPostgres } from "./start-postgres.ts";
import { startRedis } from "./start-redis.ts";

export interface TestWorker {
	/** Drains it and waits until it has left. */
	leave(): Promise<void>;
	/** Stops what it runs and waits until it has left. */
	stop(): Promise<void>;
	readonly notices: string[];
}

/** One way to run a batch, for the suite that every lane must pass. */
export interface TestLane {
	readonly name: string;
	/** What a batch on this lane needs besides its tasks. */
	options(directory: string, execute: ExecuteTask): BatchOptions;
	/** Starts what runs the tasks; the embedded lane needs nothing. */
	startWorker(directory: string, execute: ExecuteTask, changes?: Partial<WorkerOptions>): TestWorker;
	close(): Promise<void>;
}

export const LANE_NAMES = ["embedded", "redis", "postgres"] as const;

export async function openTestLane(name: (typeof LANE_NAMES)[number]): Promise<TestLane> {
	if (name === "embedded") return createEmbeddedTestLane();
	const server = await (name === "redis" ? startRedis() : startPostgres());
	return createQueueTestLane(name, server);
}

/** A directory with a home of its own: nothing of this machine's configuration takes part. */
export function createBatchDirectory(): { readonly path: string; remove(): void } {
	const path = mkdtempSync(join(tmpdir(), "deputize-batch-"));
	return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function batchEnvironment(directory: string): Record<string, string> {
	return { HOME: directory, PATH: process.env["PATH"] ?? "" };
}

function createEmbeddedTestLane(): TestLane {
	return {
		name: "embedded",
		options: (directory, execute) => ({ delegate: delegateIn(directory), execute }),
		startWorker: () => ({ leave: async () => undefined, stop: async () => undefined, notices: [] }),
		close: async () => undefined,
	};
}

function createQueueTestLane(name: string, server: QueueServer): TestLane {
	return {
		name,
		options: (directory) => ({ delegate: delegateIn(directory), queue: server.url, workspace: "here" }),
		startWorker(directory, execute, changes = {}) {
			const drain = new AbortController();
			const stop = new AbortController();
			const notices: string[] = [];
			const ended = runWorker({
				queue: server.url,
				concurrency: 4,
				workspaces: new Map([["here", directory]]),
				agents: ["explorer"],
				env: batchEnvironment(directory),
				drain: drain.signal,
				stop: stop.signal,
				onNotice: (line) => notices.push(line),
				execute,
				...changes,
			});
			return {
				notices,
				async leave() {
					drain.abort();
					await ended;
				},
				async stop() {
					drain.abort();
					stop.abort();
					await ended;
				},
			};
		},
		close: () => server.stop(),
	};
}

function delegateIn(directory: string) {
	return { cwd: directory, env: batchEnvironment(directory), offline: true };
}

export function requestTasks(count: number): readonly { id: string; agent: string; task: string }[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `t${index}`,
		agent: "explorer",
		task: `Question ${index}`,
	}));
}

export function finished(changes: Partial<TaskResult> = {}): TaskOutcome {
	return {
		kind: "finished",
		result: {
			status: "done",
			answer: "an answer",
			usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, turns: 1 },
			costUsd: 0,
			durationMs: 1,
			...changes,
		},
	};
}

/** Counts what was run, and answers as it is told. */
export function createExecutor(
	answer: (task: BatchTask, run: number, signal: AbortSignal) => TaskOutcome | Promise<TaskOutcome>,
): {
	readonly execute: ExecuteTask;
	readonly ran: string[];
	readonly running: () => number;
	readonly most: () => number;
} {
	const ran: string[] = [];
	let running = 0;
	let most = 0;
	return {
		ran,
		running: () => running,
		most: () => most,
		async execute(task, { signal }) {
			ran.push(task.id);
			running += 1;
			most = Math.max(most, running);
			try {
				return await answer(task, ran.filter((id) => id === task.id).length, signal);
			} finally {
				running -= 1;
			}
		},
	};
}
