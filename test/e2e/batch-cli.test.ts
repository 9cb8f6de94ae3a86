import { type ChildProcess, execFileSync } from "node:child_process";
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

	test("agents that write: patches come back, also from a worker that took over from a killed one, and none keeps anything", async () => {
		execFileSync("git", ["init", "-q"], { cwd: project });
		const hung = Promise.withResolvers<void>();
		const answered = Promise.withResolvers<void>();
		let isFirst = true;
		const model = await startModelServer(async (body) => {
			const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
			const [, path = ""] = /Mark (src\/\w+\.ts)/.exec(body) ?? [];
			if (!messages.some(({ role }) => role === "tool"))
				return { call: "bash", args: { command: `echo '// marked' >> ${path} && echo out >> ignored` } };
			if (path.endsWith("part0.ts") && isFirst) {
				isFirst = false;
				hung.resolve();
				await answered.promise;
			}
			return { call: "subagent_finalize", args: { status: "SUCCESS", result: path } };
		});
		const env = {
			...batchEnvironment(directory.path),
			DEPUTIZE_QUEUE: server.url,
			DEPUTIZE_LOOP_URL: `http://127.0.0.1:${model.port}/v1/chat/completions`,
			DEPUTIZE_LOOP_MODEL: "openai/scripted",
		};
		const homes = ["a", "b"].map((name) => join(directory.path, name));
		for (const home of [directory.path, ...homes]) {
			mkdirSync(join(home, ".pi/agent"), { recursive: true });
			// What a worker does never changes its workspace, whatever its owner does there.
			const subagents = { writers: ["fixer"], ...(home.endsWith("/b") ? { isolation: "in-place" } : {}) };
			writeFileSync(join(home, ".pi/agent/deputize.json"), JSON.stringify({ subagents }));
		}
		writeFileSync(join(project, ".gitignore"), "ignored\n");
		const workers: ChildProcess[] = [];
		const startWorker = (home: string | undefined): Promise<CliRun> =>
			runCli(
				["worker", "--workspace", `project=${project}`, "--agents", "fixer", "-j", "1", "--lease-ms", "2000"],
				{
					cwd: directory.path,
					env: { ...env, HOME: home ?? "" },
					onStart: (child) => workers.push(child),
				},
			);
		const listStates = (home = ""): readonly string[] =>
			listIfThere(join(home, ".pi/agent/deputize/changes")).filter((name) => !name.endsWith(".lock"));
		try {
			const killed = startWorker(homes[0]);
			const running = runCli(
				[
					"batch",
					"glob:src/part[0-2].ts",
					"--agent",
					"fixer",
					"--task",
					"Mark {path}",
					"-o",
					"out.jsonl",
					"--runtime",
					"loop",
				],
				{ cwd: project, env },
			);
			await hung.promise;
			workers[0]?.kill("SIGKILL");
			await killed;
			expect(listStates(homes[0])).toHaveLength(1);
			answered.resolve();
			const working = startWorker(homes[1]);
			expect(await running).toMatchObject({ code: 0 });
			const lines = readOutput("out.jsonl").map(({ status, changes }) => `${status} ${changes?.paths}`);
			expect(lines.sort()).toEqual([0, 1, 2].map((part) => `done src/part${part}.ts`));
			expect(listStates(homes[1])).toEqual([]);
			// The next one in its place removes what the killed one left.
			const next = startWorker(homes[0]);
			await waitUntil(() => listStates(homes[0]).length === 0, "nothing to be left of the killed one");
			expect(readFileSync(join(project, "src/part0.ts"), "utf8")).not.toContain("marked");
			expect(existsSync(join(project, "ignored"))).toBe(false);
			const applied = await runCli(["changes", "apply", "--batch", "out.jsonl"], { cwd: project, env });
			expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining("3 changes applied.") });
			for (const part of [0, 1, 2])
				expect(readFileSync(join(project, `src/part${part}.ts`), "utf8")).toBe(
					`export function part${part}() {}\n// marked\n`,
				);
			for (const worker of workers.slice(1)) worker.kill("SIGTERM");
			await Promise.all([working, next]);
		} finally {
			answered.resolve();
			for (const worker of workers) worker.kill("SIGKILL");
			await model.close();
		}
	}, 180_000);
});
