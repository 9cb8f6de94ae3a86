import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nameBatchFiles } from "../../src/batch/batch-files.ts";
import type { BatchRecord } from "../../src/batch/batch-record.ts";
import { createBatchDirectory } from "../helpers/batch-lanes.ts";
import { type QueueServer, stopProcess, waitUntil } from "../helpers/queue-server.ts";
import { startPostgres } from "../helpers/start-postgres.ts";
import { startRedis } from "../helpers/start-redis.ts";
import { testDirectory } from "../helpers/test-directory.ts";

/** `BATCH_FAULT_TASKS=500` for the large version; small enough here for every run of the suite. */
const TASKS = Number(process.env["BATCH_FAULT_TASKS"] ?? 80);
const TASK_MS = 60;
const AT_ONCE = 4;
/** Long enough for a busy machine to renew it, short enough to wait for. */
const LEASE_MS = 4000;
const DEADLINE_MS = 60_000 + TASKS * 400;
const FIXTURES = join(import.meta.dirname, "../fixtures/batch");

/** Compiled once: to load the source files takes each of the thirty processes a second of computing. */
const programs = mkdtempSync(join(tmpdir(), "deputize-batch-programs-"));
beforeAll(async () => {
	// What compiled code looks for around itself.
	for (const name of ["agents", "data", "node_modules", "package.json"])
		symlinkSync(resolve(name), join(programs, name));
	await build({
		entryPoints: ["noop-worker", "noop-collector"].map((name) => join(FIXTURES, `${name}.mjs`)),
		outdir: join(programs, "dist"),
		outExtension: { ".js": ".mjs" },
		...{ bundle: true, splitting: true, format: "esm", platform: "node", packages: "external" },
	});
	symlinkSync(resolve("dist", "loop.js"), join(programs, "dist", "loop.js"));
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

let directory: ReturnType<typeof createBatchDirectory>;
let children: ChildProcess[] = [];
let server: QueueServer | undefined;

beforeEach(() => {
	directory = createBatchDirectory();
	mkdirSync(join(directory.path, "work"));
});
afterEach(async () => {
	await Promise.all(children.map((child) => stopProcess(child, "SIGKILL")));
	for (const { pid } of children) expect(isAlive(pid)).toBe(false);
	children = [];
	await server?.stop();
	server = undefined;
	directory.remove();
});

function isAlive(pid: number | undefined): boolean {
	try {
		process.kill(pid ?? 0, 0);
		return true;
	} catch {
		return false;
	}
}

interface Started {
	readonly process: ChildProcess;
	readonly ended: Promise<number | null>;
	output(): string;
}

function start(
	script: string,
	args: readonly string[],
	home: string,
	env: Record<string, string> = {},
): Started {
	mkdirSync(join(directory.path, home), { recursive: true });
	const child = spawn(process.execPath, [join(programs, "dist", script), ...args], {
		env: {
			PATH: process.env["PATH"] ?? "",
			HOME: join(directory.path, home),
			NODE_COMPILE_CACHE: join(testDirectory(), "node-compile-cache"),
			...env,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	children.push(child);
	let text = "";
	child.stdout.on("data", (chunk: Buffer) => {
		text += chunk.toString("utf8");
	});
	child.stderr.on("data", (chunk: Buffer) => {
		text += chunk.toString("utf8");
	});
	const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
	return { process: child, ended, output: () => text };
}

const work = (): string => join(directory.path, "work");
const output = (): string => join(directory.path, "out.jsonl");
const log = (): string => join(directory.path, "log");

const startWorker = (home: string, env: Record<string, string> = {}): Started =>
	start(
		"noop-worker.mjs",
		[server?.url ?? "", work(), log(), String(TASK_MS), String(AT_ONCE), String(LEASE_MS)],
		home,
		env,
	);
const startCollector = (): Started =>
	start(
		"noop-collector.mjs",
		[
			JSON.stringify({
				...(server === undefined ? {} : { queue: server.url }),
				...{ directory: work(), output: output(), count: TASKS, log: log(), taskMs: TASK_MS },
			}),
		],
		"home-collector",
	);

const readLines = (file: string): readonly string[] =>
	existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").filter(Boolean) : [];
const countRecords = (): number => readLines(output()).length;
const countInLog = (word: string): number => readLines(log()).filter((line) => line.startsWith(word)).length;
const reach = (share: number, collector: Started): Promise<void> =>
	waitUntil(
		() => {
			// One that could not even begin is an error now, not a minute later.
			if ((collector.process.exitCode ?? 0) !== 0) throw new Error(collector.output());
			return countRecords() >= TASKS * share;
		},
		`${share} of the batch`,
		DEADLINE_MS,
	);

/** Nothing missing, nothing double, and no more repeated than was in flight when something was killed. */
async function expectComplete(collector: Started, maxRestarts: number): Promise<void> {
	const code = await collector.ended;
	expect(collector.output()).toContain("END ");
	expect(code).toBe(0);
	const records = readLines(output()).map((line) => JSON.parse(line) as BatchRecord);
	expect(new Set(records.map(({ id }) => id)).size).toBe(TASKS);
	expect(records).toHaveLength(TASKS);
	expect(records.filter(({ status }) => status !== "done")).toEqual([]);
	expect(countInLog("start") - TASKS).toBeLessThanOrEqual(maxRestarts);
	expect(existsSync(nameBatchFiles(output()).lock)).toBe(false);
}

const SERVERS = [
	["redis", startRedis],
	["postgres", startPostgres],
] as const;

describe.each(SERVERS)("faults of a batch on %s", (_name, startServer) => {
	beforeEach(async () => {
		server = await startServer();
	}, 90_000);

	test(
		"one of two workers is killed at a third, both at two thirds",
		async () => {
			const first = startWorker("home-1");
			const second = startWorker("home-2");
			const collector = startCollector();
			await reach(1 / 3, collector);
			await stopProcess(first.process, "SIGKILL");
			await reach(2 / 3, collector);
			await stopProcess(second.process, "SIGKILL");
			startWorker("home-1");
			startWorker("home-2");
			// Two kills, each with its tasks in flight; a worker fetches the next task while it hands over the last.
			await expectComplete(collector, 2 * 2 * AT_ONCE);
		},
		DEADLINE_MS * 2,
	);

	test(
		"the collector is killed; the same command again collects the rest",
		async () => {
			startWorker("home-1");
			const collector = startCollector();
			await reach(1 / 3, collector);
			await stopProcess(collector.process, "SIGKILL");
			await expectComplete(startCollector(), 0);
		},
		DEADLINE_MS * 2,
	);

	test(
		"the server is killed and comes back",
		async () => {
			startWorker("home-1");
			startWorker("home-2");
			const collector = startCollector();
			await reach(1 / 3, collector);
			await server?.kill();
			await new Promise((resolve) => setTimeout(resolve, 2000));
			await server?.restart();
			// Redis writes its log once a second: what was handed over in the last one may be forgotten and run again.
			await expectComplete(collector, 4 * AT_ONCE + (1000 / TASK_MS) * 2 * AT_ONCE);
		},
		DEADLINE_MS * 2,
	);

	test(
		"a task that ends its worker is the only one that fails",
		async () => {
			let isOver = false;
			const keepWorker = async (): Promise<void> => {
				while (!isOver) await startWorker("home-1", { POISON: "t5" }).ended;
			};
			const kept = keepWorker();
			const collector = startCollector();
			await collector.ended;
			isOver = true;
			await Promise.all(children.map((child) => stopProcess(child, "SIGKILL")));
			await kept;
			const records = readLines(output()).map((line) => JSON.parse(line) as BatchRecord);
			expect(records).toHaveLength(TASKS);
			const failed = records.filter(({ status }) => status === "failed");
			expect(failed.map(({ id, error }) => [id, error?.cause?.kind])).toEqual([["t5", "worker_lost"]]);
			expect(readLines(log()).filter((line) => line.startsWith("start t5 "))).toHaveLength(3);
		},
		DEADLINE_MS * 2,
	);

	test(
		"a worker is stopped past its lease and woken: its late answers are refused",
		async () => {
			const sleeper = startWorker("home-1");
			await waitUntil(() => sleeper.output() !== "" || sleeper.process.pid !== undefined, "the worker");
			const collector = startCollector();
			await reach(1 / 4, collector);
			process.kill(sleeper.process.pid ?? 0, "SIGSTOP");
			startWorker("home-2");
			await new Promise((resolve) => setTimeout(resolve, LEASE_MS * 3));
			process.kill(sleeper.process.pid ?? 0, "SIGCONT");
			await expectComplete(collector, 2 * AT_ONCE);
		},
		DEADLINE_MS * 2,
	);
});

test(
	"Redis forgets everything: the batch is put back, and ends",
	async () => {
		server = await startRedis({ keeps: "nothing" });
		startWorker("home-1");
		startWorker("home-2");
		const collector = startCollector();
		await reach(1 / 3, collector);
		await server.kill();
		await new Promise((resolve) => setTimeout(resolve, 1000));
		await server.restart();
		// What ran, and what was handed over and not yet collected.
		await expectComplete(collector, 4 * AT_ONCE + (1000 / TASK_MS) * 2 * AT_ONCE);
	},
	DEADLINE_MS * 2,
);

test(
	"embedded: the process is killed; the same command again runs what is missing",
	async () => {
		const collector = startCollector();
		await reach(1 / 3, collector);
		await stopProcess(collector.process, "SIGKILL");
		await expectComplete(startCollector(), AT_ONCE);
	},
	DEADLINE_MS,
);
