import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FINALIZE_TOOL } from "../../src/contract/finalization.ts";
import { createRunDirectory, listLeftRunDirectories } from "../../src/runtimes/run-directory.ts";
import { lockSession } from "../../src/sessions/lock-session.ts";
import { childFixture, goneAfter, runningWith } from "../helpers/process-children.ts";
import {
	createFaultBench,
	createUpdateWaiter,
	expectSuccess,
	type FaultBench,
	type FaultOptions,
} from "../helpers/process-faults.ts";
import { type ModelServer, type ModelStep, startModelServer } from "../helpers/process-model-server.ts";

let bench: FaultBench;
let server: ModelServer;
beforeEach(() => {
	bench = createFaultBench();
});
afterEach(async () => {
	await server.close();
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

const finish: ModelStep = { call: FINALIZE_TOOL, args: { status: "SUCCESS", result: "all done" } };
const endpoint = () => ({
	DEPUTIZE_LOOP_URL: `http://127.0.0.1:${server.port}/v1/chat/completions`,
	DEPUTIZE_LOOP_MODEL: "scripted",
});

async function delegateToLoop(steps: readonly ModelStep[], options: FaultOptions = {}) {
	server = await startModelServer(steps);
	return bench.delegateTo("", { runtime: "loop", ...options, env: { ...endpoint(), ...options.env } });
}

describe("the loop in place of pi", () => {
	it("does a whole run, and can be continued", async () => {
		const result = await delegateToLoop([{ say: "thinking" }, finish]);
		expectSuccess(result, "all done");
		const again = await bench.delegateTo("", {
			runtime: "loop",
			env: endpoint(),
			sessionId: result.details.sessionId ?? "",
		});
		expectSuccess(again, "all done");
	});

	it("row 11: aborted while it waits for the model ends and keeps what came", async () => {
		const controller = new AbortController();
		const waiter = createUpdateWaiter();
		const running = delegateToLoop([{ hang: "half a word" }], {
			signal: controller.signal,
			onUpdate: waiter.onUpdate,
		});
		await waiter.seen("half a word");
		controller.abort();
		const result = await running;
		expect(result.details.error?.message).toMatch(/cancelled/);
		expect(result.details.results[0]).toMatchObject({ exitCode: 130, output: "half a word" });
	});

	it("row 14: suspended is found idle and ended", async () => {
		const waiter = createUpdateWaiter();
		const running = delegateToLoop([{ hang: "half" }], { idleTimeoutMs: 2500, onUpdate: waiter.onUpdate });
		await waiter.seen("half");
		for (const pid of runningWith(bench.mark)) process.kill(pid, "SIGSTOP");
		expect((await running).details.results[0]).toMatchObject({ timeoutReason: "idle", output: "half" });
	});

	it("row 15: stopped at the hard limit keeps what it said", async () => {
		const result = await delegateToLoop([{ hang: "half" }], { timeoutMs: 3000 });
		expect(result.details.error?.code).toBe("SUBAGENT_TIMEOUT");
		expect(result.details.results[0]).toMatchObject({
			timeoutReason: "runtime",
			exitCode: 124,
			output: "half",
		});
	});

	it.each(["off", "required"] as const)(
		"row 18: goes with a parent that is killed with SIGKILL, sandbox %s",
		async (sandbox) => {
			server = await startModelServer([{ hang: "half" }]);
			const parent = spawn(process.execPath, [childFixture("parent-of-delegation"), "live"], {
				env: {
					...bench.env,
					TMPDIR: bench.temporary,
					PARENT_SETTINGS: JSON.stringify({
						cwd: bench.project,
						agents: bench.agents,
						model: "posed/model",
						runtime: "loop",
						until: "never",
						subagents: { sandbox },
						env: endpoint(),
					}),
				},
				stdio: ["ignore", "ignore", "inherit"],
			});
			await server.arrived(1);
			expect(runningWith(bench.mark).length).toBeGreaterThanOrEqual(2);
			expect(await goneAfter(bench.mark, () => parent.kill("SIGKILL"), 5000)).toBe(true);
			// In a sandbox an empty directory stays, which the next run removes.
			const agentDirectory = join(bench.home, ".pi", "agent");
			for (const directory of listLeftRunDirectories(agentDirectory))
				expect(readdirSync(directory)).toEqual([]);
			createRunDirectory(agentDirectory).remove();
			// The dead parent's lock is all that is left, and whoever wants the session takes it over.
			const files = readdirSync(bench.home, { recursive: true }) as string[];
			const lock = files.find((name) => name.endsWith(".lock")) ?? "";
			lockSession(join(bench.home, lock.slice(0, -".lock".length))).release();
		},
	);

	it("row 21: a refused key is a failure with the provider's words", async () => {
		const result = await delegateToLoop([{ status: 401, message: "the key is not valid" }]);
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toContain("the key is not valid");
		expect(server.requests).toHaveLength(1);
	});

	it("row 23: killed by a signal is a failure that names it", async () => {
		const waiter = createUpdateWaiter();
		const running = delegateToLoop([{ hang: "half" }], { onUpdate: waiter.onUpdate });
		await waiter.seen("half");
		for (const pid of runningWith(bench.mark)) process.kill(pid, "SIGKILL");
		const result = await running;
		expect(result.details.error?.message).toContain("SIGKILL");
		expect(result.details.results[0]?.output).toBe("half");
	});
});
