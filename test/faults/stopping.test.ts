import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { childFixture, goneAfter, runningWith, until } from "../helpers/process-children.ts";
import {
	createFaultBench,
	createUpdateWaiter,
	expectFailure,
	expectSuccess,
	type FaultBench,
	posedPi,
} from "../helpers/process-faults.ts";
import { listRunDirectories } from "../helpers/test-home.ts";

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

const HALF = "the first half";

async function abortWhenHalfDone(program: string, also = HALF) {
	const controller = new AbortController();
	const waiter = createUpdateWaiter();
	const running = bench.delegateTo(posedPi(program), {
		signal: controller.signal,
		onUpdate: waiter.onUpdate,
	});
	await waiter.seen(also);
	controller.abort();
	return running;
}

describe("an abort", () => {
	it("row 11: while the model is awaited keeps what there was", async () => {
		expectFailure(await abortWhenHalfDone("answer-then-wait"), {
			message: /cancelled/,
			exitCode: 130,
			output: HALF,
		});
	});

	it("row 12: while a command runs in its own session ends the command too", async () => {
		const result = await abortWhenHalfDone("answer-then-bash", "sleep 600");
		expectFailure(result, { message: /cancelled/, exitCode: 130, output: HALF });
	});

	it("row 13: of a child that ignores SIGTERM kills it after the grace", async () => {
		const result = await abortWhenHalfDone("answer-then-ignore-sigterm");
		expectFailure(result, { message: /cancelled/, exitCode: 130, output: HALF });
	});
});

describe("a limit of time", () => {
	it("row 13: ends a child that ignores SIGTERM", async () => {
		const result = await bench.delegateTo(posedPi("answer-then-ignore-sigterm"), { timeoutMs: 1500 });
		expectFailure(result, {
			code: "SUBAGENT_TIMEOUT",
			message: /1\.5 seconds, the limit set by the option timeoutMs/,
			exitCode: 124,
			output: HALF,
		});
	});

	it("row 14: ends a child that is suspended", async () => {
		const waiter = createUpdateWaiter();
		const running = bench.delegateTo(posedPi("answer-then-wait"), {
			idleTimeoutMs: 1500,
			onUpdate: waiter.onUpdate,
		});
		await waiter.seen(HALF);
		for (const pid of runningWith(bench.mark)) process.kill(pid, "SIGSTOP");
		const result = await running;
		expectFailure(result, {
			code: "SUBAGENT_TIMEOUT",
			message: /idleTimeoutMs/,
			exitCode: 124,
			output: HALF,
		});
		expect(result.details.results[0]?.timeoutReason).toBe("idle");
	});

	it("row 15: the hard one ends a child that keeps talking, and keeps what it said", async () => {
		const result = await bench.delegateTo(posedPi("chatty"), { timeoutMs: 2000, idleTimeoutMs: 1000 });
		expect(result.details.error?.code).toBe("SUBAGENT_TIMEOUT");
		expect(result.details.results[0]).toMatchObject({
			timeoutReason: "runtime",
			exitCode: 124,
			usage: { turns: 1 },
		});
		expect(result.details.results[0]?.output).toMatch(/^(?:on )+on$/);
		expect(JSON.stringify(result.details.results[0]?.displayItems)).toContain(HALF);
	});

	it("row 16: the idle one is not put off by plain text", async () => {
		const result = await bench.delegateTo(posedPi("plain-noise"), { idleTimeoutMs: 1500 });
		expectFailure(result, { code: "SUBAGENT_TIMEOUT", message: /did nothing/, exitCode: 124, output: HALF });
		expect(result.details.results[0]?.timeoutReason).toBe("idle");
	});

	it("row 17: the idle one is put off by every valid event, known or not", async () => {
		const result = await bench.delegateTo(posedPi("slow-but-alive"), {
			idleTimeoutMs: 2000,
			env: { PI_TEST_PAUSE_MS: "500" },
		});
		expectSuccess(result, "slow and done");
	});

	it("row 17: the idle one waits while a tool runs and while pi waits before a retry", async () => {
		const result = await bench.delegateTo(posedPi("long-tool"), {
			idleTimeoutMs: 1000,
			env: { PI_TEST_PAUSE_MS: "2500" },
		});
		expectSuccess(result, "patient and done");
	});
});

describe("a parent that goes away", () => {
	async function startParent(scenario: string, program: string, wait: string) {
		const parent = spawn(process.execPath, [childFixture("parent-of-delegation"), scenario], {
			env: {
				...bench.env,
				TMPDIR: bench.temporary,
				PARENT_SETTINGS: JSON.stringify({
					cwd: bench.project,
					agents: bench.agents,
					model: "posed/model",
					until: wait,
					env: { PI_SUBAGENT_PI_BINARY: posedPi(program) },
				}),
			},
			stdio: ["ignore", "pipe", "ignore"],
		});
		const exited = once(parent, "exit");
		await once(createInterface(parent.stdout), "line");
		return { parent, exited };
	}

	/** What a killed parent could not remove, the next run of that session does; and it can be continued. */
	async function expectCleanAfterNextRun() {
		expect(await until(() => runningWith(bench.mark).length === 0, 5000)).toBe(true);
		const files = readdirSync(bench.home, { recursive: true }) as string[];
		const sessionId = /([0-9a-f-]{36})\.jsonl$/m.exec(files.join("\n"))?.[1] ?? "";
		expectSuccess(await bench.delegateTo(posedPi("good-run"), { sessionId }), "done: probe");
	}

	it("row 18: by SIGKILL takes a child that waits for the model with it", async () => {
		const { parent } = await startParent("live", "answer-then-wait", HALF);
		expect(runningWith(bench.mark)).toHaveLength(2);
		expect(await goneAfter(bench.mark, () => parent.kill("SIGKILL"), 5000)).toBe(true);
		await expectCleanAfterNextRun();
	});

	it("row 19: by an uncaught exception takes child and grandchild with it", async () => {
		const { exited } = await startParent("throw", "answer-then-bash", "sleep 600");
		expect((await exited)[0]).not.toBe(0);
		await expectCleanAfterNextRun();
	});

	it("row 19: by process.exit takes child and grandchild with it", async () => {
		const { exited } = await startParent("exit", "answer-then-bash", "sleep 600");
		expect((await exited)[0]).toBe(7);
		await expectCleanAfterNextRun();
	});

	it.each(["exit", "throw"])("row 19: by %s leaves no lock and no temporary file", async (ending) => {
		const { exited } = await startParent(ending, "answer-then-wait", HALF);
		await exited;
		const files = readdirSync(bench.root, { recursive: true }) as string[];
		expect(files.filter((file) => file.endsWith(".lock"))).toEqual([]);
		expect(readdirSync(bench.temporary)).toEqual([]);
		expect(listRunDirectories(join(bench.home, ".pi", "agent"))).toEqual([]);
	});

	it("row 19: by process.exit takes a child that ignores SIGTERM with it", async () => {
		const { exited } = await startParent("exit", "answer-then-ignore-sigterm", HALF);
		expect((await exited)[0]).toBe(7);
		await expectCleanAfterNextRun();
	});
});
