import { describe, expect, test, vi } from "vitest";
import type { BatchTask, TaskOutcome } from "../../../src/batch/batch-record.ts";
import { createFailureBrake, parseMaxFailures } from "../../../src/batch/create-failure-brake.ts";
import { measureRate } from "../../../src/batch/measure-rate.ts";
import { withRetries } from "../../../src/batch/retry-task.ts";
import { finished } from "../../helpers/batch-lanes.ts";

const failed = (kind: string) =>
	({ error: { code: "SUBAGENT_FAILED", message: "no", cause: { kind } } }) as const;
const done = {};

describe("the brake", () => {
	test.each([
		["20", { count: 20 }],
		["0", { count: 0 }],
		[" 5% ", { percent: 5 }],
	])("is set by %j", (text, max) => expect(parseMaxFailures(text)).toEqual(max));

	test.each(["", "-1", "101%", "5.5%", "many"])("is not set by %j", (text) =>
		expect(() => parseMaxFailures(text)).toThrow(/such as 20 or 5%, not/),
	);

	test("stops after more failures than are allowed, of any kinds", () => {
		const brake = createFailureBrake({ count: 2 }, 100);
		expect([failed("a"), done, failed("b"), done].map(brake)).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
		expect(brake(failed("c"))).toMatch(/3 tasks failed, more than --max-failures allows \(2\)/);
		expect(createFailureBrake({ count: 0 }, 100)(failed("a"))).toMatch(/1 tasks failed/);
		const share = createFailureBrake({ percent: 5 }, 60);
		expect(["a", "b", "c", "d"].map((kind) => share(failed(kind)) !== undefined)).toEqual([
			false,
			false,
			false,
			true,
		]);
	});

	test("stops after ten of one kind in a row, with what the last one said; a success in between begins anew", () => {
		const brake = createFailureBrake(undefined, 1000);
		const kinds = Array.from({ length: 9 }, () => failed("network"));
		expect([...kinds, done, ...kinds].map(brake).filter(Boolean)).toEqual([]);
		expect(brake(failed("network"))).toBe(
			"Stopping: the last 10 tasks all failed for one reason (network): no",
		);
	});

	test("is not touched by what agents say of their own tasks, and is off when everything may fail", () => {
		const brake = createFailureBrake(undefined, 100);
		const off = createFailureBrake({ percent: 100 }, 5);
		for (let count = 0; count < 30; count += 1) {
			expect(brake(failed("reported"))).toBeUndefined();
			expect(off(failed("network"))).toBeUndefined();
		}
	});
});

describe("a task that failed for a reason that passes", () => {
	const task: BatchTask = { id: "a", key: "k", agent: "explorer", task: "t" };
	const context = { signal: new AbortController().signal, spentUsd: 0 };
	const cause = (kind: string, status?: number) =>
		finished({
			status: "failed",
			costUsd: 0.5,
			error: { ...failed(kind).error, cause: { kind, ...(status ? { status } : {}) } },
		});
	const run = async (outcomes: readonly TaskOutcome[], retries = 2) => {
		vi.useFakeTimers();
		const spent: number[] = [];
		const left = [...outcomes];
		const execute = withRetries(async (_task, { spentUsd }) => {
			spent.push(spentUsd);
			return left.shift() ?? finished();
		}, retries);
		const outcome = execute(task, context);
		await vi.runAllTimersAsync();
		vi.useRealTimers();
		return { outcome: await outcome, spent };
	};

	test.each([
		["network", undefined],
		["crashed", undefined],
		["provider", 503],
	])("runs again: %s %s", async (kind, status) => {
		const { outcome, spent } = await run([cause(kind, status), cause(kind, status)]);
		expect(outcome).toMatchObject({ kind: "finished", result: { status: "done", retries: 2 } });
		expect(spent).toEqual([0, 0.5, 0.5]);
	});

	test("counts as failed after its last try, and at once when no other was asked for or the reason stays", async () => {
		const network = [cause("network"), cause("network"), cause("network")];
		expect((await run(network)).outcome).toMatchObject({ result: { status: "failed", retries: 2 } });
		expect((await run(network, 0)).spent).toEqual([0]);
		for (const kind of ["unauthorized", "reported", "budget"])
			expect((await run([cause(kind)])).spent).toEqual([0]);
		expect((await run([cause("provider", 400)])).spent).toEqual([0]);
	});

	test("that then waits for a quota, or is stopped, has cost what all tries cost", async () => {
		const quota: TaskOutcome = { kind: "quota", reason: "r", costUsd: 0.25 };
		expect((await run([cause("network"), quota])).outcome).toEqual({ ...quota, costUsd: 0.75 });
		const stop = new AbortController();
		const execute = withRetries(async () => {
			stop.abort();
			return cause("crashed");
		}, 2);
		expect(await execute(task, { ...context, signal: stop.signal })).toEqual({
			kind: "stopped",
			costUsd: 0.5,
		});
	});
});

test("the rate is that of the newest results, and unknown without them", () => {
	const now = 1_000_000_000;
	const old = Array.from({ length: 1000 }, (_, at) => at + 1);
	const recent = Array.from({ length: 200 }, (_, at) => now - 60_000 + at * 100);
	expect(measureRate([...recent, ...old], now)).toBe(200);
	expect(measureRate([now - 60_000, now - 30_000, now + 5000], now)).toBeUndefined();
	expect(measureRate([0, 0, 0, 0], now)).toBeUndefined();
	expect(measureRate([now - 60_000, now - 30_000, now], now)).toBe(3);
});
