import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BatchEstimate } from "../../../src/batch/batch-estimate.ts";
import { type BatchFiles, nameBatchFiles } from "../../../src/batch/batch-files.ts";
import type { BatchOptions } from "../../../src/batch/batch-options.ts";
import type { BatchProgress } from "../../../src/batch/batch-progress.ts";
import type { BatchRecord, ExecuteTask, TaskOutcome } from "../../../src/batch/batch-record.ts";
import { readBatchState, readControl, writeControl } from "../../../src/batch/batch-state.ts";
import { controlBatch } from "../../../src/batch/control-batch.ts";
import { estimateBatch } from "../../../src/batch/estimate-batch.ts";
import { readBatchStatus } from "../../../src/batch/read-batch-status.ts";
import { runBatch } from "../../../src/batch/run-batch.ts";
import {
	batchEnvironment,
	createBatchDirectory,
	createExecutor,
	finished,
	requestTasks,
} from "../../helpers/batch-lanes.ts";

let directory: ReturnType<typeof createBatchDirectory>;
let files: BatchFiles;
beforeEach(() => {
	directory = createBatchDirectory();
	files = nameBatchFiles(join(directory.path, "out.jsonl"));
});
afterEach(() => directory.remove());

const optionsOf = (changes: BatchOptions): BatchOptions => ({
	delegate: { cwd: directory.path, env: batchEnvironment(directory.path), offline: true },
	output: files.output,
	...changes,
});

async function run(count: number, execute: ExecuteTask, changes: BatchOptions = {}) {
	const batch = runBatch(requestTasks(count), optionsOf({ execute, ...changes }));
	const records: BatchRecord[] = [];
	for await (const record of batch) records.push(record);
	return { records, progress: batch.progress() };
}
const readLines = (file: string): readonly BatchRecord[] =>
	readFileSync(file, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
const idsOf = (records: readonly BatchRecord[]): readonly string[] => records.map(({ id }) => id).toSorted();
const failed = (costUsd = 0): TaskOutcome =>
	finished({ status: "failed", costUsd, error: { code: "SUBAGENT_FAILED", message: "no" } });

describe("a batch", () => {
	test("gives one record for each task, in the output as well, and counts them", async () => {
		const { execute } = createExecutor(({ id }) => (id === "t1" ? failed(0.25) : finished({ costUsd: 0.5 })));
		const seen: BatchProgress[] = [];
		const { records, progress } = await run(3, execute, { onProgress: (now) => seen.push(now) });
		expect(idsOf(records)).toEqual(["t0", "t1", "t2"]);
		expect(idsOf(readLines(files.output))).toEqual(["t0", "t1", "t2"]);
		expect(idsOf(readLines(files.failed))).toEqual(["t1"]);
		expect(progress).toMatchObject({
			...{ total: 3, todo: 3, done: 2, failed: 1, finishedNow: 3, running: 0 },
			...{ costUsd: 1.25, spentUsd: 1.25 },
		});
		expect(progress).not.toHaveProperty("stopped");
		expect(seen[0]).toMatchObject({ total: 3, todo: 3, done: 0, failed: 0, finishedNow: 0, running: 0 });
		expect(seen.map(({ running }) => running)).toContain(1);
		expect(existsSync(files.lock)).toBe(false);
		expect(readBatchState(files)).toMatchObject({ version: 1, lane: "embedded", total: 3 });
	});

	test("stops after ten failures in a row for one reason, says it, and goes on with the same tasks later", async () => {
		const cause = { kind: "unauthorized" };
		const { execute, ran } = createExecutor(() =>
			finished({ status: "failed", error: { code: "SUBAGENT_FAILED", message: "401: no such key", cause } }),
		);
		const notices: string[] = [];
		const { progress } = await run(50, execute, { concurrency: 1, onNotice: (line) => notices.push(line) });
		expect(ran).toHaveLength(10);
		expect(progress).toMatchObject({ failed: 10, stopped: "failures" });
		expect(notices).toContain(
			"Stopping: the last 10 tasks all failed for one reason (unauthorized): 401: no such key",
		);
		const { execute: works, ran: again } = createExecutor(() => finished());
		expect((await run(50, works, { retryFailed: ["network"] })).progress).toMatchObject({
			done: 40,
			failed: 10,
		});
		expect((await run(50, works, { retryFailed: ["unauthorized"] })).progress).toMatchObject({ done: 50 });
		expect(again).toHaveLength(50);
	});

	test("starts nothing when what it is going to cost is declined", async () => {
		const { execute, ran } = createExecutor(() => finished());
		const confirm = async ({ todo, firstTask }: BatchEstimate): Promise<boolean> => {
			expect({ todo, firstTask }).toEqual({ todo: 3, firstTask: "Question 0" });
			return false;
		};
		expect((await run(3, execute, { confirm })).progress).toMatchObject({
			stopped: "declined",
			finishedNow: 0,
		});
		expect(ran).toEqual([]);
		await run(3, execute, { confirm: async () => true });
		expect(ran).toHaveLength(3);
		// Nothing to do is nothing to ask about.
		await run(3, execute, { confirm: () => Promise.reject(new Error("asked")) });
	});

	test("carries the fields of a row into its line, unless they are too long for one", async () => {
		const { execute } = createExecutor(() => finished());
		const input = { question: "a", deep: { n: [1] } };
		const requests = [
			{ agent: "explorer", task: "a", input },
			{ agent: "explorer", task: "b", input: { text: "x".repeat(2_000_000) } },
		];
		for await (const _ of runBatch(requests, optionsOf({ execute })));
		const lines = readLines(files.output);
		expect(lines.map((line) => line.input)).toEqual([input, undefined]);
		expect(lines.every(({ finishedAt = "" }) => Math.abs(Date.now() - Date.parse(finishedAt)) < 60_000)).toBe(
			true,
		);
	});

	test("without an output keeps nothing", async () => {
		const { execute } = createExecutor(() => finished({ costUsd: 0.5 }));
		const { records, progress } = await run(2, execute, { output: undefined });
		expect(records).toHaveLength(2);
		expect(progress).toMatchObject({ done: 2, spentUsd: 1 });
		expect(existsSync(files.output)).toBe(false);
	});

	test("goes on where it was: what is done stays, what failed only runs again when that is asked for", async () => {
		const first = createExecutor(({ id }) => (id === "t0" ? failed(0.5) : finished({ costUsd: 1 })));
		await run(2, first.execute);
		const { id } = readBatchState(files) ?? {};
		const second = createExecutor(() => finished());
		const after = await run(3, second.execute);
		expect(second.ran).toEqual(["t2"]);
		expect(after.progress).toMatchObject({
			...{ total: 3, todo: 1, done: 2, failed: 1, finishedNow: 1, costUsd: 0, spentUsd: 1.5 },
		});
		const third = createExecutor(() => finished({ costUsd: 0.25 }));
		const again = await run(3, third.execute, { retryFailed: true });
		expect(third.ran).toEqual(["t0"]);
		expect(again.records).toMatchObject([{ id: "t0", attempt: 2, status: "done", earlierCostUsd: 0.5 }]);
		expect(again.progress).toMatchObject({ done: 3, failed: 0, costUsd: 0.25, spentUsd: 1.75 });
		expect(idsOf(readLines(files.output))).toEqual(["t0", "t1", "t2"]);
		expect(existsSync(files.failed)).toBe(false);
		expect(readBatchState(files)?.id).toBe(id);
	});

	test("starts no more than it is limited to, and no more at once than it may", async () => {
		const slow = createExecutor(async () => {
			await new Promise((resolve) => setTimeout(resolve, 5));
			return finished();
		});
		const { progress } = await run(9, slow.execute, { limit: 7, concurrency: 2 });
		expect(slow.ran).toEqual(["t0", "t1", "t2", "t3", "t4", "t5", "t6"]);
		expect(slow.most()).toBe(2);
		expect(progress).toMatchObject({ total: 9, todo: 7, done: 7 });
	});

	test("starts no more in a moment than its rate allows", async () => {
		const { execute } = createExecutor(() => finished());
		const startedAt = performance.now();
		await run(5, execute, { rate: { count: 2, perMs: 100 } });
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(195);
	});

	test("stops when its budget does not cover another task", async () => {
		const { execute, ran } = createExecutor(() => finished({ costUsd: 0.5 }));
		const { progress } = await run(5, execute, { budgetUsd: 1.2, concurrency: 1 });
		expect(ran).toEqual(["t0", "t1"]);
		expect(progress).toMatchObject({ stopped: "budget", done: 2, spentUsd: 1 });
		const later = createExecutor(() => finished({ costUsd: 0.5 }));
		await run(5, later.execute, { budgetUsd: 1.2, concurrency: 1 });
		expect(later.ran).toEqual([]);
		const more = createExecutor(() => finished({ costUsd: 0.5 }));
		await run(5, more.execute, { budgetUsd: 1.6, concurrency: 1 });
		expect(more.ran).toEqual(["t2"]);
	});

	test("waits when the provider refuses, says so, and counts what the refused run cost", async () => {
		const notices: string[] = [];
		const { execute, ran } = createExecutor((_task, turn) =>
			turn === 1
				? { kind: "quota", reason: "too many requests", retryAfterMs: 30, costUsd: 0.5 }
				: finished({ costUsd: 1 }),
		);
		const spent: number[] = [];
		const { progress } = await run(
			1,
			(task, context) => {
				spent.push(context.spentUsd);
				return execute(task, context);
			},
			{ onNotice: (line) => notices.push(line) },
		);
		expect(ran).toEqual(["t0", "t0"]);
		expect(spent).toEqual([0, 0.5]);
		expect(notices).toContain("Paused: too many requests");
		expect(progress).toMatchObject({ done: 1, spentUsd: 1 });
	});

	test("stops when the provider asks for more patience than it has", async () => {
		const { execute } = createExecutor(() => ({
			...{ kind: "quota", reason: "later", retryAfterMs: 60_000, costUsd: 0.5 },
		}));
		const { records, progress } = await run(3, execute, { maxQuotaWaitMs: 50_000, concurrency: 1 });
		expect(records).toEqual([]);
		expect(progress).toMatchObject({ stopped: "quota", finishedNow: 0, spentUsd: 0.5 });
	});

	test("that is drained finishes what runs and starts nothing new", async () => {
		const drain = new AbortController();
		const { execute, ran } = createExecutor(() => {
			drain.abort();
			return finished();
		});
		const { records, progress } = await run(5, execute, { drain: drain.signal, concurrency: 1 });
		expect(ran).toEqual(["t0"]);
		expect(idsOf(records)).toEqual(["t0"]);
		expect(progress).toMatchObject({ stopped: "interrupted", done: 1 });
	});

	test("that is stopped ends what runs; it is not recorded, but what it cost counts", async () => {
		const stop = new AbortController();
		const { execute } = createExecutor((_task, _turn, signal) => {
			stop.abort();
			return signal.aborted ? { kind: "stopped", costUsd: 0.25 } : finished();
		});
		const { records, progress } = await run(5, execute, { signal: stop.signal, concurrency: 1 });
		expect(records).toEqual([]);
		expect(progress).toMatchObject({ stopped: "interrupted", finishedNow: 0, spentUsd: 0.25 });
		expect(readFileSync(files.output, "utf8")).toBe("");
	});

	test("whose reader leaves ends what runs and can be gone on with", async () => {
		let wasStopped = false;
		const { execute } = createExecutor(
			({ id }, _turn, signal) =>
				new Promise((resolve) => {
					if (id === "t0") resolve(finished());
					else
						signal.addEventListener("abort", () => {
							wasStopped = true;
							resolve({ kind: "stopped", costUsd: 0 });
						});
				}),
		);
		for await (const record of runBatch(requestTasks(3), optionsOf({ execute }))) {
			expect(record.id).toBe("t0");
			break;
		}
		expect(wasStopped).toBe(true);
		expect(existsSync(files.lock)).toBe(false);
		expect((await run(3, createExecutor(() => finished()).execute)).progress).toMatchObject({
			todo: 2,
			done: 3,
		});
	});

	test("that meets an error of ours hands over what was finished, and then the error", async () => {
		const { execute } = createExecutor(({ id }) => {
			if (id === "t1") throw new Error("a bug");
			return finished();
		});
		await expect(run(3, execute, { concurrency: 1 })).rejects.toThrow("a bug");
		expect(idsOf(readLines(files.output))).toEqual(["t0"]);
		expect(existsSync(files.lock)).toBe(false);
	});

	test("replaces the line of a task whose file has changed", async () => {
		const { execute } = createExecutor(() => finished());
		const ask = async (fingerprint: string): Promise<void> => {
			const request = { id: "a.ts", agent: "explorer", task: "look", fingerprint };
			for await (const record of runBatch([request], optionsOf({ execute }))) expect(record.id).toBe("a.ts");
		};
		await ask("one");
		const [before] = readLines(files.output);
		await ask("two");
		const lines = readLines(files.output);
		expect(lines).toHaveLength(1);
		expect(lines[0]?.key).not.toBe(before?.key);
	});

	test("on a queue needs an output", async () => {
		const { execute } = createExecutor(() => finished());
		await expect(run(1, execute, { queue: "redis://localhost", output: undefined })).rejects.toThrow(
			"A batch on a queue needs an output file: results must survive this process.",
		);
	});
});

describe("the output of a batch", () => {
	const once = createExecutor(() => finished());

	test("loses a line that a crash cut off, and its task runs again", async () => {
		await run(2, once.execute);
		const whole = readFileSync(files.output, "utf8");
		writeFileSync(files.output, whole.slice(0, -20));
		const again = createExecutor(() => finished());
		await run(2, again.execute);
		expect(again.ran).toHaveLength(1);
		expect(idsOf(readLines(files.output))).toEqual(["t0", "t1"]);
	});

	test("is not written again when there is nothing to tidy", async () => {
		await run(2, once.execute);
		const { ino } = statSync(files.output);
		await run(2, once.execute);
		expect(statSync(files.output).ino).toBe(ino);
	});

	test("has the failed ones in a file of their own, also when that was removed", async () => {
		await run(2, createExecutor(() => failed()).execute);
		writeFileSync(files.failed, "");
		await run(2, once.execute);
		expect(readFileSync(files.failed, "utf8")).toBe("");
		rmSync(files.failed);
		await run(2, once.execute);
		expect(idsOf(readLines(files.failed))).toEqual(["t0", "t1"]);
	});

	test("is written by one process at a time", async () => {
		let refusal: unknown;
		const { execute } = createExecutor(async () => {
			refusal = await run(1, once.execute).catch((error: Error) => error.message);
			return finished();
		});
		await run(1, execute);
		expect(refusal).toBe(
			`Another process is writing ${files.output}. Wait for it, or look at it with: deputize batch status ${files.output}. If its machine or container is gone, remove ${files.lock}`,
		);
	});

	test.each<[string, () => void, RegExp]>([
		["something else", () => writeFileSync(files.output, "hello\n"), /is not the output of a batch/],
		["a directory", () => mkdirSync(files.output), /out\.jsonl/],
		["a link", () => symlinkSync(join(directory.path, "elsewhere"), files.output), /out\.jsonl/],
		[
			"in no directory",
			() => writeFileSync(join(directory.path, "no"), ""),
			/no\/out\.jsonl cannot be written/,
		],
	])("is refused where it is %s, and nothing is left", async (name, prepare, reason) => {
		prepare();
		const output = name === "in no directory" ? join(directory.path, "no/out.jsonl") : files.output;
		await expect(run(1, once.execute, { output })).rejects.toThrow(reason);
		expect(existsSync(`${output}.lock`)).toBe(false);
	});
});

describe("a batch that runs", () => {
	const waiting = () => {
		let release: () => void = () => undefined;
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		return { release, released };
	};

	test("is asked to cancel, ends, and is not recorded", async () => {
		const { execute } = createExecutor(
			(_task, _turn, signal) =>
				new Promise((resolve) => {
					void controlBatch("cancel", files.output, undefined);
					signal.addEventListener("abort", () => resolve({ kind: "stopped", costUsd: 0 }));
				}),
		);
		const { progress } = await run(1, execute);
		expect(progress).toMatchObject({ stopped: "cancelled", finishedNow: 0 });
		expect(readControl(files)).toBeUndefined();
	});

	test("is asked to pause and to go on", async () => {
		const { release, released } = waiting();
		const { execute, ran } = createExecutor(async () => {
			if (ran.length === 1) await released;
			return finished();
		});
		let wasHeld = false;
		const batch = run(2, execute, {
			concurrency: 1,
			onProgress({ held, finishedNow }) {
				if (!held || finishedNow === 0) return;
				wasHeld = true;
				writeControl(files, "resume");
			},
		});
		await expect.poll(() => ran.length).toBe(1);
		expect(await controlBatch("pause", files.output, undefined)).toBe(
			`Asked process ${process.pid} to pause.`,
		);
		expect(await readBatchStatus(files.output)).toMatchObject({
			paused: true,
			process: { pid: process.pid },
		});
		await new Promise((resolve) => setTimeout(resolve, 600));
		release();
		expect((await batch).progress).toMatchObject({ done: 2 });
		expect(wasHeld).toBe(true);
	});
});

describe("what is known of a batch", () => {
	const mixed = createExecutor(({ id }) =>
		id === "t0" ? failed(0.5) : finished({ costUsd: 1, durationMs: 100 }),
	);

	test("is its status", async () => {
		await run(3, mixed.execute, { limit: 2 });
		const status = await readBatchStatus(files.output);
		expect(status).toMatchObject({
			...{ output: files.output, total: 3, done: 1, failed: 1, missing: 1, spentUsd: 1.5, paused: false },
		});
		expect(status).not.toHaveProperty("process");
		await expect(controlBatch("pause", files.output, undefined)).rejects.toThrow(
			`The batch of ${files.output} is not running. Run its command again to continue it.`,
		);
	});

	test.each(["state", "output"] as const)("is nothing without its %s", async (part) => {
		await run(1, mixed.execute);
		rmSync(files[part]);
		await expect(readBatchStatus(files.output)).rejects.toThrow(
			`${files.output} is not the output of a batch, or its ${files.state} is gone.`,
		);
	});

	test("is what the rest would cost and take, once some have finished", async () => {
		const before = await estimateBatch(requestTasks(10), optionsOf({}));
		expect(before).toMatchObject({
			...{ total: 10, finished: 0, todo: 10, firstTask: "Question 0" },
			agent: { name: "explorer", model: "offline/navigator" },
			advice: "Run it with --sample 20 first: cost and time are estimated from finished tasks.",
		});
		const priced = createExecutor(() => finished({ costUsd: 0.5, durationMs: 100 }));
		await run(10, priced.execute, { limit: 4 });
		expect(await estimateBatch(requestTasks(10), optionsOf({}))).toHaveProperty("advice");
		await run(10, priced.execute, { limit: 2 });
		const after = await estimateBatch(requestTasks(10), optionsOf({ concurrency: 2 }));
		expect(after).toMatchObject({
			finished: 6,
			todo: 4,
			firstTask: "Question 6",
			costUsd: 2,
			durationMs: 200,
		});
		expect(after).not.toHaveProperty("advice");
		expect(await estimateBatch([], optionsOf({ output: undefined }))).toMatchObject({
			...{ total: 0, firstTask: null, agent: { name: "", file: "", model: null } },
		});
	});
});
