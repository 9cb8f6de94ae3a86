import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listIfThere } from "../../packages/ground/paths/list-if-there.ts";
import type { BatchRecord } from "../../src/batch/batch-record.ts";
import { batchEnvironment, createBatchDirectory } from "../helpers/batch-lanes.ts";
import { listProcessesOf, readCommandLine } from "../helpers/pi-door-processes.ts";
import { startModelServer } from "../helpers/process-model-server.ts";
import { type QueueServer, stopProcess, waitUntil } from "../helpers/queue-server.ts";
import { type CliRun, runCli } from "../helpers/run-cli.ts";
import { startRedis } from "../helpers/start-redis.ts";

const OFFLINE = ["--offline", "--runtime", "loop"];

let directory: ReturnType<typeof createBatchDirectory>;
let project: string;

beforeEach(() => {
	directory = createBatchDirectory();
	project = join(directory.path, "project");
	mkdirSync(join(project, "src"), { recursive: true });
	for (let file = 0; file < 11; file += 1)
		writeFileSync(join(project, "src", `part${file}.ts`), `export function part${file}() {}\n`);
});
afterEach(() => directory.remove());

const batch = (args: readonly string[], input = ""): Promise<CliRun> =>
	runCli(["batch", ...args], { cwd: project, env: batchEnvironment(directory.path), input });
const readOutput = (name: string): readonly BatchRecord[] =>
	readFileSync(join(project, name), "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as BatchRecord);

describe("deputize batch", () => {
	test("a glob: every file once; of eleven files the changed one runs again and keeps one line", async () => {
		const args = [
			"glob:src/*.ts",
			"--agent",
			"explorer",
			"--task",
			"Which function is in {path}?",
			"-o",
			"out.jsonl",
		];
		const first = await batch([...args, ...OFFLINE, "--json"]);
		expect(first.stderr).not.toContain("deputize batch:");
		expect(JSON.parse(first.stdout)).toMatchObject({
			total: 11,
			done: 11,
			failed: 0,
			missing: 0,
			finishedNow: 11,
		});
		expect(first.code).toBe(0);
		const line = readOutput("out.jsonl").find(({ id }) => id === "src/part7.ts");
		expect(line?.answer).toContain("part7");
		// The tools of a confined child have somewhere to put their temporary files.
		expect(line?.answer).not.toContain("EROFS");
		expect(JSON.stringify(line).split("export function part7").length - 1).toBeLessThanOrEqual(3);
		expect(Object.keys(line ?? {})).not.toContain("content");
		appendFileSync(join(project, "src/part3.ts"), "// changed\n");
		const second = await batch([...args, ...OFFLINE, "--json"]);
		expect(JSON.parse(second.stdout)).toMatchObject({ total: 11, done: 11, finishedNow: 1 });
		expect(readOutput("out.jsonl")).toHaveLength(11);
		const status = await batch(["status", "out.jsonl"]);
		expect(status.stdout).toContain("11 done, 0 failed, 0 missing of 11 (embedded)");
		expect((await batch(["pause", "out.jsonl"])).code).toBe(2);
	}, 180_000);

	test("what the navigator answers is done by a few processes in turn; one that is killed costs its task at most", async () => {
		const questions = Array.from(
			{ length: 40 },
			(_, index) => `Where is part${index % 11} defined? (${index})`,
		);
		const args = ["-", "--agent", "explorer", "--task", "{line}", "-o", "out.jsonl", "-j", "2"];
		/** A process between fork and exec looks like its parent; the worker itself is the oldest. */
		const findWorker = (): number | undefined =>
			listProcessesOf(directory.path).find((pid) => {
				const [program = "", ...rest] = readCommandLine(pid);
				return program === process.execPath && rest.includes("--in-turn");
			});
		const runDirectories = new Set<string>();
		let killed = 0;
		const running = batch([...args, ...OFFLINE, "--json"], `${questions.join("\n")}\n`);
		const watch = setInterval(() => {
			for (const name of listIfThere(join(directory.path, ".pi/agent/deputize/runs")))
				runDirectories.add(name);
			const worker = killed > 0 || !existsSync(join(project, "out.jsonl")) ? undefined : findWorker();
			if (worker === undefined) return;
			killed = worker;
			process.kill(worker, "SIGKILL");
		}, 25);
		const run = await running;
		clearInterval(watch);
		const summary = JSON.parse(run.stdout) as { done: number; failed: number };
		expect(summary).toMatchObject({ total: 40, missing: 0 });
		expect(summary.failed).toBeLessThanOrEqual(1);
		expect(killed).toBeGreaterThan(0);
		// Two at once, and one in place of the killed one.
		expect(runDirectories.size).toBe(3);
		const done = readOutput("out.jsonl").filter(({ status }) => status === "done");
		expect(new Set(done.map(({ sessionId }) => sessionId)).size).toBe(summary.done);
		for (const { id, answer } of done) expect(answer).toContain(`src/${/part\d+/.exec(id)?.[0]}.ts:1`);
		expect(listProcessesOf(directory.path)).toEqual([]);
	}, 180_000);

	test("wrong usage is exit code 2 before anything starts or is written", async () => {
		const ask = ["--agent", "explorer", "-o", "out.jsonl", ...OFFLINE];
		const cases: readonly (readonly [readonly string[], RegExp])[] = [
			[["-", ...ask, "--task", "{nope}"], /uses \{nope\}, but line 1 of stdin has no field "nope"/],
			[["-", "--agent", "nobody", "--task", "{line}", "-o", "out.jsonl"], /nobody/],
			[["-", ...ask, "--task", "{line}", "--rate", "fast"], /A rate is a number per unit/],
			[["-", ...ask, "--task", "{line}", "-j", "0"], /-j takes a whole number above 0/],
			[["-", ...ask, "--task", "{line}", "--queue", "mysql://x"], /--queue takes redis/],
			[["-", "--agent", "explorer", "--task", "{line}"], /Missing output file/],
			[["status", "gone.jsonl"], /is not the output of a batch/],
		];
		for (const [args, message] of cases) {
			const { code, stderr } = await batch(args, "one\n");
			expect(stderr).toMatch(message);
			expect(code).toBe(2);
		}
		expect(existsSync(join(project, "out.jsonl.lock"))).toBe(false);
		expect(
			existsSync(join(project, "out.jsonl")) && readFileSync(join(project, "out.jsonl"), "utf8"),
		).toBeFalsy();
	}, 180_000);

	test("an interrupt finishes what runs and is exit code 130; the same command runs the rest", async () => {
		const args = [
			"-",
			"--agent",
			"explorer",
			"--task",
			"Where is {line}?",
			"-o",
			"out.jsonl",
			"-j",
			"2",
			...OFFLINE,
		];
		const input = Array.from({ length: 11 }, (_, index) => `part${index}`).join("\n");
		const first = await runCli(["batch", ...args, "--json"], {
			cwd: project,
			env: batchEnvironment(directory.path),
			input,
			onStart: (child) => {
				void waitUntil(
					() =>
						existsSync(join(project, "out.jsonl")) && readFileSync(join(project, "out.jsonl"), "utf8") !== "",
					"a line",
				).then(() => child.kill("SIGINT"));
			},
		});
		expect(first.code).toBe(130);
		const { done, missing } = JSON.parse(first.stdout) as { done: number; missing: number };
		expect(done + missing).toBe(11);
		expect(missing).toBeGreaterThan(0);
		expect(readOutput("out.jsonl")).toHaveLength(done);
		const second = await batch([...args, "--json"], input);
		expect(JSON.parse(second.stdout)).toMatchObject({ done: 11, missing: 0, finishedNow: missing });
		expect(second.code).toBe(0);
	}, 180_000);

	test("a provider that answers 429 makes the batch wait; no row fails and no attempt is counted", async () => {
		const refusal = { status: 429, message: "Too many requests" } as const;
		const model = await startModelServer([
			// Three end the first attempt; one more is for the first request after the pause.
			...Array.from({ length: 4 }, () => refusal),
			{ call: "subagent_finalize", args: { status: "SUCCESS", result: "after the quota" } },
		]);
		try {
			const { code, stdout, stderr } = await runCli(
				[
					"batch",
					"-",
					"--agent",
					"explorer",
					"--task",
					"{line}",
					"-o",
					"out.jsonl",
					"-j",
					"1",
					"--runtime",
					"loop",
					"--json",
				],
				{
					cwd: project,
					env: {
						...batchEnvironment(directory.path),
						DEPUTIZE_LOOP_URL: `http://127.0.0.1:${model.port}/v1/chat/completions`,
						DEPUTIZE_LOOP_MODEL: "scripted",
					},
					input: "one question\n",
				},
			);
			expect(stderr).toContain("Paused: ");
			expect(JSON.parse(stdout)).toMatchObject({ done: 1, failed: 0, missing: 0 });
			expect(code).toBe(0);
			expect(readOutput("out.jsonl")).toMatchObject([
				{ id: "one question", status: "done", answer: "after the quota" },
			]);
		} finally {
			await model.close();
		}
	}, 180_000);
});

describe("deputize worker", () => {
	let server: QueueServer;
	beforeEach(async () => {
		server = await startRedis({ keeps: "nothing" });
	});
	afterEach(() => server.stop());

	test("one that does not match refuses and says why; one that does runs the tasks readonly", async () => {
		const queue = ["--queue", server.url];
		const env = batchEnvironment(directory.path);
		const other = join(directory.path, "other");
		mkdirSync(other);
		// Another agent of the same name in the other workspace's home makes no difference here: the agent is not allowed.
		const stops: (() => Promise<void>)[] = [];
		const startWorker = (agents: string, name: string): Promise<CliRun> =>
			runCli(
				[
					"worker",
					...queue,
					"--workspace",
					`project=${project}`,
					"--agents",
					agents,
					"--name",
					name,
					"-j",
					"2",
				],
				{
					cwd: other,
					env,
					onStart: (child) => stops.push(() => stopProcess(child, "SIGTERM")),
				},
			);
		const refusing = startWorker("reviewer", "strict");
		const running = batch(
			["-", "--agent", "explorer", "--task", "Where is {line}?", "-o", "out.jsonl", ...queue, ...OFFLINE],
			"part1\npart2\npart3\n",
		);
		await waitUntil(async () => {
			if (!existsSync(join(project, "out.jsonl.state.json"))) return false;
			return (await batch(["status", "out.jsonl"])).stdout.includes("does not allow the agent explorer");
		}, "the refusal");
		const working = startWorker("explorer,reviewer", "willing");
		const { code, stderr, stdout } = await running;
		expect(stderr).toContain("appendonly");
		expect(stderr).toContain("No worker takes this batch. strict: it does not allow the agent explorer.");
		expect(stdout).toMatch(/done +3 {2}out.jsonl/);
		expect(code).toBe(0);
		expect(readOutput("out.jsonl").map(({ status }) => status)).toEqual(["done", "done", "done"]);
		await Promise.all(stops.map((stop) => stop()));
		expect((await refusing).stderr).toContain("Not joining batch");
		expect((await working).stderr).toContain("Joining batch");
	}, 180_000);
});
