import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listIfThere } from "../../../packages/ground/paths/list-if-there.ts";
import { SharedProcesses } from "../../../src/children/shared-processes.ts";
import type { ChildEvent } from "../../../src/contract/event.ts";
import type { ChildPlan } from "../../../src/contract/plan.ts";
import { isProcessAlive } from "../../../src/process/identify-process.ts";
import { createLoopDialect } from "../../../src/runtimes/loop/create-loop-dialect.ts";
import { mayServeInTurn } from "../../../src/runtimes/loop/create-loop-runtime.ts";
import { startInRunDirectory } from "../../../src/runtimes/run-directory.ts";
import type { PreparedChild, Runtime } from "../../../src/runtimes/runtime.ts";
import type { ChildLaunch } from "../../../src/runtimes/start-event-process.ts";
import { startWorker } from "../../../src/runtimes/start-worker.ts";

/** Answers each line as the program does; some tasks are not answered. */
const PROGRAM = `
const say = (data) => process.stdout.write("data: " + JSON.stringify(data) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	if (line === "crash") process.exit(3);
	if (line === "hang") return;
	say({ type: "output_text", delta: line });
	say({ type: "response_end" });
});`;

let agentDirectory = "";
let shared: SharedProcesses;
beforeEach(() => {
	agentDirectory = mkdtempSync(join(tmpdir(), "deputize-shared-"));
	shared = new SharedProcesses();
});
afterEach(async () => {
	await shared.close();
	const left = listIfThere(join(agentDirectory, "deputize", "runs"));
	rmSync(agentDirectory, { recursive: true, force: true });
	expect(left).toEqual([]);
});

const PLAN = {
	runId: "run",
	model: "offline/navigator",
	mayWrite: false,
	cwd: tmpdir(),
	limits: { timeoutMs: 60_000, idleTimeoutMs: 60_000, maxMemoryMb: 4096 },
	session: { id: "1", file: "/sessions/a_1.jsonl", resumed: false },
} as unknown as ChildPlan;

async function prepare(
	changes: {
		readonly plan?: Partial<ChildPlan>;
		readonly env?: Record<string, string>;
		readonly signal?: AbortSignal;
	} = {},
): Promise<PreparedChild> {
	const plan = { ...PLAN, ...changes.plan };
	const launch: ChildLaunch = {
		command: process.execPath,
		args: ["-e", PROGRAM],
		env: changes.env ?? {},
		confinement: "tools-only",
	};
	const runtime: Runtime = {
		name: "loop",
		describe: () => Promise.reject(new Error("not used")),
		prepare: () => Promise.reject(new Error("not used")),
		share: async () => ({
			launch: JSON.stringify(launch),
			start: () =>
				startInRunDirectory(agentDirectory, async ({ path, remove }) => ({
					runDirectory: path,
					worker: startWorker(plan, launch, {
						...createLoopDialect({ name: "m", model: "m" }),
						cleanUp: remove,
					}),
				})),
			writeTask: (task) => task,
		}),
	};
	const child = await shared.prepare(runtime, plan, changes.signal ?? new AbortController().signal);
	if (child === undefined) throw new Error("it is not shared");
	return child;
}

async function run(child: PreparedChild, task: string) {
	const events: ChildEvent[] = [];
	const end = await child.run(task, (event) => events.push(event));
	return { end, types: events.map(({ type }) => type), pid: child.pid ?? 0 };
}
const isGone = (pid: number): boolean => !isProcessAlive({ pid });

describe("processes that are shared", () => {
	it("do one task after the other, each with events of its own", async () => {
		const first = await run(await prepare(), "one");
		const second = await run(
			await prepare({
				plan: { runId: "other", session: { id: "2", file: "/sessions/a_2.jsonl", resumed: false } },
			}),
			"two",
		);
		expect(second.pid).toBe(first.pid);
		for (const { end, types } of [first, second]) {
			expect(types).toEqual(["child-start", "text-delta", "settled", "child-end"]);
			expect(end).toMatchObject({ reason: "settled", exitCode: 0 });
		}
		await shared.close();
		expect(isGone(first.pid)).toBe(true);
	});

	it("are two where two are needed at once", async () => {
		const children = await Promise.all([prepare(), prepare()]);
		const runs = await Promise.all(children.map((child) => run(child, "task")));
		expect(runs[0]?.pid).not.toBe(runs[1]?.pid);
		expect([runs[0]?.pid, runs[1]?.pid]).toContain((await run(await prepare(), "third")).pid);
	});

	it.each([
		["another environment", { env: { LANG: "C" } }, true],
		["another agent", { plan: { cwd: "/" } }, false],
	])("do not get a task for %s", async (_name, changes, isEnded) => {
		const first = await run(await prepare(), "one");
		const second = await run(await prepare(changes), "two");
		expect(second.pid).not.toBe(first.pid);
		// One that nobody can get any more does not wait either.
		if (isEnded) await expect.poll(() => isGone(first.pid)).toBe(true);
		else expect(isGone(first.pid)).toBe(false);
	});

	it("are ended when a task crashes, hangs or is cancelled, and the next task gets a new one", async () => {
		const crashed = await run(await prepare(), "crash");
		expect(crashed.end).toMatchObject({ reason: "exit", exitCode: 3 });
		const hung = await run(await prepare({ plan: { limits: { ...PLAN.limits, timeoutMs: 200 } } }), "hang");
		expect(hung.end).toMatchObject({ reason: "runtime-timeout" });
		const abort = new AbortController();
		const child = await prepare({ signal: abort.signal });
		const cancelled = run(child, "hang");
		abort.abort();
		expect((await cancelled).end).toMatchObject({ reason: "aborted" });
		const pids = [crashed.pid, hung.pid, (await cancelled).pid, (await run(await prepare(), "fine")).pid];
		expect(new Set(pids).size).toBe(4);
		expect(pids.slice(0, 3).every(isGone)).toBe(true);
	});

	it("have no time limit while they wait", async () => {
		const limits = { ...PLAN.limits, timeoutMs: 250, idleTimeoutMs: 250 };
		const first = await run(await prepare({ plan: { limits } }), "one");
		await new Promise((resolve) => setTimeout(resolve, 400));
		expect((await run(await prepare({ plan: { limits } }), "two")).pid).toBe(first.pid);
	});

	it("wait for the next task when one was prepared and not given", async () => {
		const child = await prepare();
		await child.discard();
		expect((await run(await prepare(), "one")).pid).toBe(child.pid);
	});

	it("are none where the runtime shares none", async () => {
		const runtime: Runtime = {
			name: "pi",
			describe: () => Promise.reject(new Error("not used")),
			prepare: () => Promise.reject(new Error("not used")),
		};
		const { signal } = new AbortController();
		expect(await shared.prepare(runtime, PLAN, signal)).toBeUndefined();
		const sometimes: Runtime = { ...runtime, share: async () => undefined };
		expect(await shared.prepare(sometimes, PLAN, signal)).toBeUndefined();
	});

	it("go on when the call before was cancelled after its end", async () => {
		const abort = new AbortController();
		const first = await run(await prepare({ signal: abort.signal }), "one");
		abort.abort();
		const second = await run(await prepare(), "two");
		expect(second.pid).toBe(first.pid);
		expect(second.end).toMatchObject({ reason: "settled" });
	});

	it("end with their task when all others were ended before", async () => {
		const child = await prepare();
		const running = run(child, "one");
		await shared.close();
		const { pid } = await running;
		await expect.poll(() => isGone(pid)).toBe(true);
	});

	it("that died while they waited get no task", async () => {
		const { pid } = await run(await prepare(), "one");
		process.kill(pid, "SIGKILL");
		// Until it was noticed.
		await expect
			.poll(async () => {
				const child = await prepare();
				await child.discard();
				return child.pid;
			})
			.not.toBe(pid);
		expect((await run(await prepare(), "two")).end).toMatchObject({ reason: "settled" });
	});

	it("are replaced after fifty tasks", async () => {
		const pids = new Set<number>();
		for (let task = 0; task < 51; task += 1) pids.add((await run(await prepare(), "x")).pid);
		expect(pids.size).toBe(2);
	});

	it("only do what the navigator answers and nothing that writes", () => {
		expect(mayServeInTurn(PLAN)).toBe(true);
		expect(mayServeInTurn({ ...PLAN, mayWrite: true })).toBe(false);
		expect(mayServeInTurn({ ...PLAN, model: "anthropic/claude" })).toBe(false);
		expect(mayServeInTurn({ ...PLAN, model: undefined } as unknown as ChildPlan)).toBe(false);
	});
});
