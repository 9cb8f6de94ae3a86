import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BatchOptions } from "../../src/batch/batch-options.ts";
import type { BatchProgress } from "../../src/batch/batch-progress.ts";
import type { ExecuteTask } from "../../src/batch/batch-record.ts";
import type { WorkerOptions } from "../../src/batch/queue/run-worker.ts";
import { runBatch } from "../../src/batch/run-batch.ts";
import {
	createBatchDirectory,
	createExecutor,
	finished,
	openTestLane,
	requestTasks,
	type TestLane,
	type TestWorker,
} from "../helpers/batch-lanes.ts";
import { waitUntil } from "../helpers/queue-server.ts";

/** Several batches on one queue, and the slots of a worker between them. */
describe.each(["redis", "postgres"] as const)("workers of several batches: %s", (name) => {
	let lane: TestLane;
	let directory: ReturnType<typeof createBatchDirectory>;
	let workers: TestWorker[] = [];

	beforeAll(async () => {
		lane = await openTestLane(name);
	}, 90_000);
	afterAll(() => lane.close());
	beforeEach(() => {
		directory = createBatchDirectory();
	});
	afterEach(async () => {
		await Promise.all(workers.map((worker) => worker.stop()));
		workers = [];
		directory.remove();
	});

	function startWorker(
		execute: ExecuteTask,
		concurrency: number,
		changes: Partial<WorkerOptions> = {},
	): TestWorker {
		const worker = lane.startWorker(directory.path, execute, { concurrency, ...changes });
		workers.push(worker);
		return worker;
	}

	async function run(
		batch: string,
		tasks: number,
		output = batch,
		changes: BatchOptions = {},
	): Promise<BatchProgress> {
		const requests = requestTasks(tasks).map((request) => ({ ...request, id: `${batch}-${request.id}` }));
		const running = runBatch(requests, {
			...lane.options(directory.path, async () => finished()),
			output: join(directory.path, `${output}.jsonl`),
			...changes,
		});
		for await (const _record of running);
		return running.progress();
	}

	/** Answers when it is told to. */
	function createHeldExecutor() {
		const released = Promise.withResolvers<void>();
		const executor = createExecutor(async (_task, _run, signal) => {
			signal.addEventListener("abort", () => released.resolve(), { once: true });
			await released.promise;
			return signal.aborted ? { kind: "stopped", costUsd: 0 } : finished();
		});
		return { ...executor, release: () => released.resolve() };
	}

	test("one that is busy leaves the tasks of every batch to one that is not", async () => {
		const first = createHeldExecutor();
		const second = createHeldExecutor();
		const busy = startWorker(first.execute, 2);
		const batches = Promise.all(["a", "b", "c", "d"].map((batch) => run(batch, 2)));
		await waitUntil(
			() => busy.notices.length === 4 && first.running() === 2,
			"the first worker to be busy",
			15_000,
		);
		startWorker(second.execute, 2);
		await waitUntil(() => second.running() === 2, "the second worker to be busy", 15_000);
		expect(first.running()).toBe(2);
		second.release();
		// The first one is still busy with what it began.
		await waitUntil(() => second.ran.length === 6, "the rest", 15_000);
		first.release();
		expect(await batches).toMatchObject(Array.from({ length: 4 }, () => ({ done: 2, failed: 0 })));
		expect(first.most()).toBe(2);
		expect(second.most()).toBe(2);
	});

	test("a copy of an output is not collected while another process collects that batch", async () => {
		const { execute, running, release } = createHeldExecutor();
		startWorker(execute, 2);
		const first = run("first", 6);
		await waitUntil(() => running() === 2, "the first tasks", 15_000);
		for (const ending of ["", ".state.json"])
			cpSync(join(directory.path, `first.jsonl${ending}`), join(directory.path, `copy.jsonl${ending}`));
		await expect(run("first", 6, "copy")).rejects.toThrow(/Another process \(.+:\d+\) collects this batch/);
		release();
		expect(await first).toMatchObject({ done: 6, failed: 0 });
		// The batch has left the server: nobody else works on it now, and the copy is collected by itself.
		expect(await run("first", 6, "copy")).toMatchObject({ done: 6, failed: 0 });
	});

	test("the slots of a worker go round its batches", async () => {
		const { execute, ran, most, running, release } = createHeldExecutor();
		const worker = startWorker(execute, 1);
		const long = run("long", 8);
		await waitUntil(() => running() === 1, "the first task", 15_000);
		const short = run("short", 2);
		await waitUntil(() => worker.notices.length === 2, "the second batch", 15_000);
		release();
		expect(await short).toMatchObject({ done: 2 });
		expect(await long).toMatchObject({ done: 8 });
		expect(most()).toBe(1);
		expect(ran.findLastIndex((id) => id.startsWith("short"))).toBeLessThan(7);
	});

	test("a batch that goes first gets the slots of a worker, and no service is asked more often than its limit says", async () => {
		const { execute, ran, most, running, release } = createHeldExecutor();
		const limits = { serviceLimits: new Map([["offline", 1]]) };
		const worker = startWorker(execute, 4, limits);
		const long = run("long", 6);
		await waitUntil(() => running() === 1, "the first task", 15_000);
		const urgent = run("urgent", 3, "urgent", { priority: "high" });
		await waitUntil(() => worker.notices.length === 2, "the second batch", 15_000);
		release();
		expect(await urgent).toMatchObject({ done: 3 });
		expect(await long).toMatchObject({ done: 6 });
		expect(most()).toBe(1);
		// One of the other batch ran already, and another one may have had its slot.
		expect(ran.findLastIndex((id) => id.startsWith("urgent"))).toBeLessThan(5);
	});

	test("a busy worker that is drained leaves at once when its tasks are done", async () => {
		const { execute, running, ran, release } = createHeldExecutor();
		const worker = startWorker(execute, 1);
		const batches = Promise.all(["a", "b"].map((batch) => run(batch, 2)));
		await waitUntil(() => worker.notices.length === 2 && running() === 1, "the worker to be busy", 15_000);
		const left = worker.leave();
		release();
		await left;
		expect(ran).toHaveLength(1);
		const { execute: executeRest, ran: rest } = createExecutor(() => finished());
		startWorker(executeRest, 2);
		expect(await batches).toMatchObject([{ done: 2 }, { done: 2 }]);
		expect(rest).toHaveLength(3);
	});
});
