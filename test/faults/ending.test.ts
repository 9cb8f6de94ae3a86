import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readProcess } from "../../src/process/read-process-table.ts";
import {
	createFaultBench,
	createUpdateWaiter,
	expectFailure,
	expectSuccess,
	type FaultBench,
	posedPi,
} from "../helpers/process-faults.ts";

let bench: FaultBench;
beforeEach(() => {
	bench = createFaultBench();
});
afterEach(async () => {
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

describe("a child that ends", () => {
	it("row 20: with 0 and without a word is a failure that quotes stderr, after one retry", async () => {
		const result = await bench.delegateTo(posedPi("silent-exit"));
		expectFailure(result, { message: /without any answer[\s\S]*cannot find the thing/ });
		expect(bench.starts()).toBe(2);
	});

	it("row 20: without a word once, and well the second time, is a success", async () => {
		expectSuccess(await bench.delegateTo(posedPi("silent-once")), "second try");
		expect(bench.starts()).toBe(2);
	});

	it("row 20: without a word is not retried when retries are off", async () => {
		const result = await bench.delegateTo(posedPi("silent-exit"), {
			subagents: { retry: { enabled: false, maxAttempts: 2 } },
		});
		expectFailure(result, { message: /without any answer/ });
		expect(bench.starts()).toBe(1);
	});

	it("row 20: without a word lets itself be aborted in the pause before the retry", async () => {
		const controller = new AbortController();
		const running = bench.delegateTo(posedPi("silent-exit"), { signal: controller.signal });
		while (bench.starts() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		controller.abort();
		const result = await running;
		expect(result.isError).toBe(true);
		expect(bench.starts()).toBe(1);
	});

	it("row 21: with 0 although the provider failed is a failure with a redacted message, not retried", async () => {
		const result = await bench.delegateTo(posedPi("provider-error"));
		expectFailure(result, {
			message: /provider failed: 401 invalid key/,
			output: "what came before",
			usage: { input: 200, turns: 1 },
		});
		expect(JSON.stringify(result)).not.toContain("AbCdEfGh");
		expect(bench.starts()).toBe(1);
	});

	it("row 22: with another code after a good answer is a failure that keeps the answer", async () => {
		const result = await bench.delegateTo(posedPi("exit-after-answer"));
		expectFailure(result, { message: /exited with code 1[\s\S]*ENOSPC/, output: "a good answer" });
		expect(result.details.finalized).toEqual({ status: "SUCCESS", result: "a good answer" });
		expect(bench.starts()).toBe(1);
	});

	it.each([
		["SIGSEGV", 2],
		["SIGABRT", 2],
		["SIGKILL", 1],
		["SIGTERM", 1],
	])(
		"row 23: by %s is a failure that names it, with %i start(s) and the usage of all",
		async (signal, starts) => {
			const result = await bench.delegateTo(posedPi("die-by-signal"), { env: { PI_TEST_SIGNAL: signal } });
			expectFailure(result, {
				message: new RegExp(`killed by ${signal}`),
				output: "the first half",
				usage: { input: 100 * starts, output: 20 * starts, cost: 0.5 * starts, turns: starts },
			});
			expect(bench.starts()).toBe(starts);
		},
	);

	it("row 24: because its heap is full says so and is not retried", async () => {
		const result = await bench.delegateTo(posedPi("out-of-memory"));
		expectFailure(result, { message: /ran out of memory/, output: "the first half" });
		expect(bench.starts()).toBe(1);
	});
});

describe("the pipes of a child", () => {
	it("row 25: held open by a grandchild do not hold up the result, and the grandchild ends", async () => {
		expectSuccess(await bench.delegateTo(posedPi("leave-holder")), "done, but something holds the pipe");
	});

	it("row 26: deliver what was written after the exit", async () => {
		expectSuccess(await bench.delegateTo(posedPi("late-chunk")), "came late");
	});

	it("row 27: that are never closed, by a process nothing leads to, do not hold up the result", async () => {
		const result = await bench.delegateTo(posedPi("leave-holder"), { env: { PI_TEST_HOLDER: "hidden" } });
		expectSuccess(result, "done, but something holds the pipe");
		// Without a sandbox such a process cannot be found; the result must not wait for it.
		const holder = Number(readFileSync(join(bench.home, "holder"), "utf8"));
		if (readProcess(holder)) process.kill(holder, "SIGKILL");
	});

	it("row 28: closed early on the side of stdin are no error", async () => {
		const result = await bench.delegateTo(posedPi("close-stdin"), { task: "x".repeat(3_000_000) });
		expectSuccess(result, "did not need the task");
	});

	it("row 29: never leave stdin open: a child that reads to the end gets its end", async () => {
		expectSuccess(await bench.delegateTo(posedPi("good-run"), { task: "short" }), "done: short");
	});
});

describe("many runs", () => {
	it("50 after one another leave no descriptor, child, listener or file", async () => {
		const { readdirSync } = await import("node:fs");
		const open = () => readdirSync("/proc/self/fd").length;
		await bench.delegateTo(posedPi("good-run"));
		const before = open();
		for (let run = 0; run < 50; run++) {
			const result = await bench.delegateTo(posedPi(run % 4 === 3 ? "exit-after-answer" : "good-run"));
			expect(result.isError).toBe(run % 4 === 3);
		}
		expect(open()).toBeLessThanOrEqual(before + 1);
	}, 180_000);

	it("eight at once end independently of the one that fails", async () => {
		const waiter = createUpdateWaiter();
		const results = await Promise.all(
			Array.from({ length: 8 }, (_, index) =>
				bench.delegateTo(posedPi(index === 2 ? "silent-exit" : "good-run"), { onUpdate: waiter.onUpdate }),
			),
		);
		expect(results.map((result) => result.isError)).toEqual([
			false,
			false,
			true,
			false,
			false,
			false,
			false,
			false,
		]);
		expect(new Set(results.map((result) => result.details.sessionId)).size).toBe(8);
		expect(existsSync(bench.home)).toBe(true);
	});
});
