import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nameBatchFiles } from "../../src/batch/batch-files.ts";
import type { BatchOptions } from "../../src/batch/batch-options.ts";
import type { BatchProgress } from "../../src/batch/batch-progress.ts";
import type { BatchRecord, ExecuteTask } from "../../src/batch/batch-record.ts";
import { writeControl } from "../../src/batch/batch-state.ts";
import type { TaskRequest } from "../../src/batch/build-batch-tasks.ts";
import { readBatchStatus } from "../../src/batch/read-batch-status.ts";
import { runBatch } from "../../src/batch/run-batch.ts";
import {
	createBatchDirectory,
	createExecutor,
	finished,
	LANE_NAMES,
	openTestLane,
	requestTasks,
	type TestLane,
	type TestWorker,
} from "../helpers/batch-lanes.ts";
import { waitUntil } from "../helpers/queue-server.ts";

const wait = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Every lane promises the same: this suite runs against the embedded one and against two real servers. */
describe.each(LANE_NAMES)("batch contract: %s", (name) => {
	let lane: TestLane;
	let directory: ReturnType<typeof createBatchDirectory>;
	let output: string;
	let workers: TestWorker[] = [];

	beforeAll(async () => {
		lane = await openTestLane(name);
	}, 90_000);
	afterAll(() => lane.close());
	beforeEach(() => {
		directory = createBatchDirectory();
		output = join(directory.path, "out.jsonl");
	});
	afterEach(async () => {
		await Promise.all(workers.map((worker) => worker.stop()));
		workers = [];
		directory.remove();
	});

	function startWorker(execute: ExecuteTask, changes = {}): TestWorker {
		const worker = lane.startWorker(directory.path, execute, changes);
		workers.push(worker);
		return worker;
	}

	async function run(
		requests: readonly TaskRequest[],
		execute: ExecuteTask,
		changes: Partial<BatchOptions> = {},
	): Promise<{ readonly records: readonly BatchRecord[]; readonly progress: BatchProgress }> {
		const batch = runBatch(requests, { ...lane.options(directory.path, execute), output, ...changes });
		const records: BatchRecord[] = [];
		for await (const record of batch) records.push(record);
		return { records, progress: batch.progress() };
	}

	const readOutput = (file = output): readonly BatchRecord[] =>
		readFileSync(file, "utf8")
			.trimEnd()
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line) as BatchRecord);

	test("every task has one line, in the file and in the iteration", async () => {
		const { execute, ran } = createExecutor(() => finished());
		startWorker(execute);
		const { records, progress } = await run(requestTasks(25), execute);
		expect(new Set(records.map(({ id }) => id)).size).toBe(25);
		expect(
			readOutput()
				.map(({ id }) => id)
				.sort(),
		).toEqual(records.map(({ id }) => id).sort());
		expect(ran).toHaveLength(25);
		expect(progress).toMatchObject({ total: 25, done: 25, failed: 0, finishedNow: 25 });
		expect(existsSync(nameBatchFiles(output).lock)).toBe(false);
	});

	test("the same command again runs nothing, and an added task alone", async () => {
		const { execute, ran } = createExecutor(() => finished());
		startWorker(execute);
		await run(requestTasks(6), execute);
		expect((await run(requestTasks(6), execute)).records).toEqual([]);
		const more = [{ id: "new", agent: "explorer", task: "Something else" }, ...requestTasks(6)];
		expect((await run(more, execute)).records.map(({ id }) => id)).toEqual(["new"]);
		expect(ran).toHaveLength(7);
		expect(readOutput()).toHaveLength(7);
	});

	test("a failed delegation is a finished task; it runs again only when asked, and its cost is kept", async () => {
		const { execute, ran } = createExecutor((task, time) =>
			task.id === "t1" && time === 1
				? finished({
						status: "failed",
						costUsd: 0.25,
						error: { code: "SUBAGENT_TIMEOUT", message: "too slow", cause: { kind: "runtime" } },
					})
				: finished({ costUsd: 0.5 }),
		);
		startWorker(execute);
		const first = await run(requestTasks(3), execute);
		expect(first.progress).toMatchObject({ done: 2, failed: 1 });
		expect(readOutput(join(directory.path, "out.failed.jsonl"))).toMatchObject([
			{ id: "t1", error: { cause: { kind: "runtime" } } },
		]);
		expect((await run(requestTasks(3), execute)).progress).toMatchObject({ failed: 1, finishedNow: 0 });
		const retried = await run(requestTasks(3), execute, { retryFailed: true });
		expect(retried.records).toMatchObject([{ id: "t1", status: "done", attempt: 2, earlierCostUsd: 0.25 }]);
		expect(retried.progress).toMatchObject({ done: 3, failed: 0, spentUsd: 1.75 });
		expect(ran).toHaveLength(4);
		expect(readOutput()).toHaveLength(3);
		expect(existsSync(join(directory.path, "out.failed.jsonl"))).toBe(false);
	});

	test("text that databases refuse or reorder comes back as it was", async () => {
		const answer = 'NUL \u0000, half \ud83d, quote " and \u2028';
		const data = { zebra: 1, alpha: { b: [null, true], a: "\u0000" } };
		const { execute } = createExecutor((task) => finished(task.id === "text" ? { answer } : { data }));
		startWorker(execute);
		await run(
			[
				{ id: "text", agent: "explorer", task: "a \u2028 b \\u0000" },
				{ id: "data", agent: "explorer", task: "c" },
			],
			execute,
		);
		const lines = readOutput();
		expect(lines.find(({ id }) => id === "text")?.answer).toBe(answer);
		expect(JSON.stringify(lines.find(({ id }) => id === "data")?.data)).toBe(JSON.stringify(data));
	});

	test("a quota error pauses everybody and costs no attempt", async () => {
		let refusedAt = 0;
		const starts: number[] = [];
		const { execute } = createExecutor(async (task) => {
			starts.push(performance.now());
			await wait(50);
			if (task.id !== "t5" || refusedAt > 0) return finished();
			refusedAt = performance.now();
			return { kind: "quota", reason: "429", retryAfterMs: 2500, costUsd: 0.125 };
		});
		startWorker(execute, { concurrency: 2 });
		startWorker(execute, { concurrency: 2 });
		const { progress, records } = await run(requestTasks(30), execute, { concurrency: 4 });
		expect(progress).toMatchObject({ done: 30, failed: 0 });
		expect(records.every(({ attempt }) => attempt === undefined)).toBe(true);
		expect(starts).toHaveLength(31);
		// What was on its way when the refusal came may still start; then nobody does.
		const inPause = starts.filter((at) => at > refusedAt + 1200 && at < refusedAt + 2300);
		expect(inPause).toEqual([]);
		expect(starts.some((at) => at > refusedAt + 2300)).toBe(true);
	});

	test("a provider that refuses for too long stops the batch early; the rest runs later", async () => {
		let isRefusing = true;
		const { execute } = createExecutor(() =>
			isRefusing ? { kind: "quota", reason: "429", retryAfterMs: 60_000, costUsd: 0 } : finished(),
		);
		startWorker(execute);
		const { progress } = await run(requestTasks(3), execute, { maxQuotaWaitMs: 1000 });
		expect(progress).toMatchObject({ stopped: "quota", done: 0, failed: 0 });
		isRefusing = false;
		expect((await run(requestTasks(3), execute)).progress).toMatchObject({ done: 3 });
	});

	test("a budget is reserved for what runs and not exceeded", async () => {
		const { execute, ran } = createExecutor(async () => {
			await wait(20);
			return finished({ costUsd: 0.05 });
		});
		startWorker(execute);
		const { progress } = await run(requestTasks(20), execute, { budgetUsd: 0.36 });
		expect(progress.stopped).toBe("budget");
		expect(progress.spentUsd).toBeLessThanOrEqual(0.36);
		expect(ran).toHaveLength(7);
		const more = await run(requestTasks(20), execute, { budgetUsd: 0.52 });
		expect(more.progress).toMatchObject({ done: 10, stopped: "budget" });
		expect(more.progress.spentUsd).toBeCloseTo(0.5);
	});

	test("what was spent on tasks that were stopped stays spent", async () => {
		let ran = 0;
		const execute: ExecuteTask = async (_task, { signal, onSpent }) => {
			ran += 1;
			onSpent?.(0.25);
			await new Promise<void>((resolve) => {
				if (signal.aborted) resolve();
				else signal.addEventListener("abort", () => resolve(), { once: true });
			});
			return { kind: "stopped", costUsd: 0.25 };
		};
		startWorker(execute);
		for (const spentUsd of [0.5, 1]) {
			const before = ran;
			const running = run(requestTasks(6), execute, { budgetUsd: 1, concurrency: 2 });
			await waitUntil(() => ran === before + 2, "two tasks");
			writeControl(nameBatchFiles(output), "cancel");
			expect((await running).progress).toMatchObject({ stopped: "cancelled" });
			expect((await readBatchStatus(output)).spentUsd).toBeCloseTo(spentUsd);
		}
		const { progress } = await run(requestTasks(6), execute, { budgetUsd: 1, concurrency: 2 });
		expect(progress).toMatchObject({ stopped: "budget", spentUsd: 1 });
		expect(ran).toBe(4);
	});

	test("what replaced lines have cost stays spent", async () => {
		const { execute, ran } = createExecutor(() => finished({ costUsd: 0.0625 }));
		startWorker(execute);
		const round = (words: string) =>
			run(
				requestTasks(4).map((request) => ({ ...request, task: words + request.id })),
				execute,
				{ budgetUsd: 0.5 },
			);
		for (const words of ["first", "second"]) expect((await round(words)).progress.finishedNow).toBe(4);
		expect(readOutput()).toHaveLength(4);
		expect((await round("third")).progress).toMatchObject({
			stopped: "budget",
			finishedNow: 0,
			spentUsd: 0.5,
		});
		expect(ran).toHaveLength(8);
	});

	test("no more tasks run at once than were allowed, and no faster than the rate", async () => {
		const { execute, most } = createExecutor(async () => {
			await wait(10);
			return finished();
		});
		startWorker(execute, { concurrency: 6 });
		await run(requestTasks(12), execute, { concurrency: 2 });
		expect(most()).toBe(2);
		const startedAt = performance.now();
		const others = requestTasks(10).map((request) => ({ ...request, task: `${request.task} again` }));
		await run(others, execute, { rate: { count: 4, perMs: 1000 }, concurrency: 6 });
		expect(performance.now() - startedAt).toBeGreaterThan(1800);
	});

	test("draining finishes what runs and leaves the rest to the next run", async () => {
		const drain = new AbortController();
		const { execute, ran } = createExecutor(async () => {
			drain.abort();
			await wait(300);
			return finished();
		});
		startWorker(execute, { concurrency: 2 });
		const first = await run(requestTasks(10), execute, { concurrency: 2, drain: drain.signal });
		expect(first.progress.stopped).toBe("interrupted");
		expect(first.progress.done).toBe(ran.length);
		expect(ran.length).toBeLessThanOrEqual(4);
		const second = await run(requestTasks(10), execute, { concurrency: 2 });
		expect(second.progress).toMatchObject({ done: 10, failed: 0 });
		expect(ran).toHaveLength(10);
	});

	test("pause holds every worker, resume lets them go on, cancel ends what runs", async () => {
		const { execute, ran, running } = createExecutor(async (_task, _time, signal) => {
			await wait(40);
			return signal.aborted ? { kind: "stopped", costUsd: 0 } : finished();
		});
		startWorker(execute, { concurrency: 2 });
		const files = nameBatchFiles(output);
		const running$ = run(requestTasks(400), execute, { concurrency: 2 });
		await waitUntil(() => ran.length > 3, "the first tasks");
		writeControl(files, "pause");
		await waitUntil(async () => {
			const before = ran.length;
			await wait(400);
			return ran.length === before && running() === 0;
		}, "the pause");
		const held = ran.length;
		writeControl(files, "resume");
		await waitUntil(() => ran.length > held + 2, "the batch to go on");
		writeControl(files, "cancel");
		const { progress } = await running$;
		expect(progress.stopped).toBe("cancelled");
		expect(progress.done).toBeLessThan(400);
		expect(readOutput()).toHaveLength(progress.done);
		await waitUntil(() => running() === 0, "the workers to stop");
	});

	test("a line that a crash cut off is removed and its task runs again", async () => {
		const { execute, ran } = createExecutor(() => finished());
		startWorker(execute);
		await run(requestTasks(3), execute);
		const lines = readFileSync(output, "utf8").trimEnd().split("\n");
		writeFileSync(output, `${lines.slice(0, 2).join("\n")}\n${lines[2]?.slice(0, 40)}`);
		const { records } = await run(requestTasks(3), execute);
		expect(records).toHaveLength(1);
		expect(ran).toHaveLength(4);
		expect(readOutput()).toHaveLength(3);
	});

	test("a second process on the same output is refused, and so is a file that is something else", async () => {
		const { execute } = createExecutor(async () => {
			await wait(200);
			return finished();
		});
		startWorker(execute);
		const first = run(requestTasks(2), execute);
		await wait(50);
		await waitUntil(() => existsSync(nameBatchFiles(output).lock), "the lock");
		await expect(run(requestTasks(2), execute)).rejects.toThrow(/Another process is writing/);
		await first;
		appendFileSync(join(directory.path, "notes.jsonl"), '{"mine":true}\n');
		await expect(
			run(requestTasks(1), execute, { output: join(directory.path, "notes.jsonl") }),
		).rejects.toThrow(/is not the output of a batch/);
		expect(readFileSync(join(directory.path, "notes.jsonl"), "utf8")).toBe('{"mine":true}\n');
	});

	test.skipIf(name === "embedded")(
		"a result that could not be handed over is computed again, not failed",
		async () => {
			const { execute, ran } = createExecutor((task, time) => {
				if (task.id === "t1" && time === 1)
					throw new Error("the database system is not yet accepting connections");
				return finished();
			});
			startWorker(execute);
			const { progress } = await run(requestTasks(3), execute);
			expect(progress).toMatchObject({ done: 3, failed: 0 });
			expect(ran).toHaveLength(4);
		},
	);

	test("leaving the loop early ends what runs", async () => {
		const { execute, running } = createExecutor(async (task, _time, signal) => {
			if (task.id === "t0") return finished();
			await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
			return { kind: "stopped", costUsd: 0 };
		});
		startWorker(execute);
		for await (const record of runBatch(requestTasks(5), {
			...lane.options(directory.path, execute),
			output,
		})) {
			expect(record.id).toBe("t0");
			break;
		}
		if (name === "embedded") expect(running()).toBe(0);
		expect(readOutput()).toHaveLength(1);
		expect(existsSync(nameBatchFiles(output).lock)).toBe(false);
	});
});
