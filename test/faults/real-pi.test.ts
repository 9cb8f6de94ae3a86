import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FINALIZE_TOOL } from "../../src/contract/finalization.ts";
import { childFixture, goneAfter, runningWith, until } from "../helpers/process-children.ts";
import {
	createFaultBench,
	createUpdateWaiter,
	expectSuccess,
	type FaultBench,
	type FaultOptions,
} from "../helpers/process-faults.ts";
import { type ModelServer, type ModelStep, startModelServer } from "../helpers/process-model-server.ts";
import { listRunDirectories } from "../helpers/test-home.ts";

const PI = fileURLToPath(
	new URL("../../node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js", import.meta.url),
);
const GONE_WITHIN_MS = 5000;

let bench: FaultBench;
let server: ModelServer | undefined;
/** pi keeps compiled code here; removing it after every test would make each start slow. */
const sharedTemporary = process.env["TMPDIR"] ?? "/tmp";

beforeEach(() => {
	bench = createFaultBench();
});
afterEach(async () => {
	await server?.close();
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

async function useModel(...steps: ModelStep[]): Promise<ModelServer> {
	server = await startModelServer(steps);
	server.configure(join(bench.home, ".pi/agent"));
	return server;
}

/** An agent that may run commands, so that there is a grandchild to lose. */
function allowBash(): void {
	writeFileSync(
		join(bench.agents, "prober.md"),
		"---\nname: prober\ndescription: d\ntools: read, bash\n---\nprobe\n",
	);
}

function delegateToPi(options: FaultOptions = {}) {
	return bench.delegateTo(PI, {
		model: "local/scripted",
		// To ask pi for its models would start a second one each time.
		host: { listModels: () => ["local/scripted"] },
		...options,
		env: { TMPDIR: sharedTemporary, ...options.env },
		subagents: { allowWrite: true, ...options.subagents },
	});
}

const finish: ModelStep = { call: FINALIZE_TOOL, args: { status: "SUCCESS", result: "all done" } };
const sleepInBash: ModelStep = { call: "bash", args: { command: "sleep 600" } };
const isSleeping = () =>
	runningWith(bench.mark).some((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith("sleep\0"));

/** Only root may mount: .ci/run runs these as root, after everything else as an ordinary user. */
const cannotMount = process.getuid?.() !== 0;

describe("real pi", { timeout: 90_000 }, () => {
	it("does a whole run, and can be continued", async () => {
		await useModel({ say: "thinking" }, finish, finish);
		const result = await delegateToPi();
		expectSuccess(result, "all done");
		expect(result.details.results[0]?.usage).toMatchObject({ input: 200, output: 40, turns: 2 });
		const again = await delegateToPi({ sessionId: result.details.sessionId ?? "" });
		expectSuccess(again, "all done");
		expect(again.details.sessionId).toBe(result.details.sessionId);
	});

	it("row 11: aborted while it waits for the model ends and keeps what came", async () => {
		const model = await useModel({ hang: "half a word" });
		const controller = new AbortController();
		const waiter = createUpdateWaiter();
		const running = delegateToPi({ signal: controller.signal, onUpdate: waiter.onUpdate });
		await model.arrived(1);
		await waiter.seen("half a word");
		controller.abort();
		const result = await running;
		expect(result.details.error?.message).toMatch(/cancelled/);
		expect(result.details.results[0]).toMatchObject({ exitCode: 130, output: "half a word" });
	});

	it("row 12: aborted while bash runs takes the command with it", async () => {
		allowBash();
		await useModel(sleepInBash);
		const controller = new AbortController();
		const running = delegateToPi({ signal: controller.signal });
		expect(await until(isSleeping, 60_000)).toBe(true);
		controller.abort();
		const result = await running;
		expect(result.details.error?.message).toMatch(/cancelled/);
		expect(result.details.results[0]?.usage.turns).toBe(1);
		expect(runningWith(bench.mark)).toEqual([]);
	});

	it("row 12: killed with SIGKILL by somebody else while bash runs, the command is ended all the same", async () => {
		allowBash();
		await useModel(sleepInBash);
		const waiter = createUpdateWaiter();
		const running = delegateToPi({ onUpdate: waiter.onUpdate });
		expect(await until(isSleeping, 60_000)).toBe(true);
		const isNode = (pid: number) => readlinkSync(`/proc/${pid}/exe`) === realpathSync(process.execPath);
		process.kill(runningWith(bench.mark).find(isNode)!, "SIGKILL");
		const result = await running;
		expect(result.details.error?.message).toMatch(/SIGKILL/);
		expect(runningWith(bench.mark)).toEqual([]);
	});

	it("row 12: timed out while bash runs is stopped at the hard limit; the idle one waits for the tool", async () => {
		allowBash();
		await useModel(sleepInBash);
		const result = await delegateToPi({ timeoutMs: 6000, idleTimeoutMs: 3000 });
		expect(result.details.error?.code).toBe("SUBAGENT_TIMEOUT");
		expect(result.details.results[0]).toMatchObject({ timeoutReason: "runtime", exitCode: 124 });
	});

	it("row 14: suspended is found idle and ended", async () => {
		const model = await useModel({ hang: "half" });
		const waiter = createUpdateWaiter();
		const running = delegateToPi({ idleTimeoutMs: 3000, onUpdate: waiter.onUpdate });
		await model.arrived(1);
		await waiter.seen("half");
		for (const pid of runningWith(bench.mark)) process.kill(pid, "SIGSTOP");
		const result = await running;
		expect(result.details.results[0]).toMatchObject({ timeoutReason: "idle", output: "half" });
	});

	it.each([
		["waits for the model", "hang", false],
		["runs bash", "bash", true],
	])(
		"row 18: the parent killed with SIGKILL while the child %s takes everything with it",
		async (_title, kind, bash) => {
			if (bash) allowBash();
			const model = await useModel(kind === "bash" ? sleepInBash : { hang: "half" });
			const parent = spawn(process.execPath, [childFixture("parent-of-delegation"), "live"], {
				env: {
					...bench.env,
					TMPDIR: bench.temporary,
					PARENT_SETTINGS: JSON.stringify({
						cwd: bench.project,
						agents: bench.agents,
						model: "local/scripted",
						until: "never",
						subagents: { allowWrite: true },
						env: { PI_SUBAGENT_PI_BINARY: PI, TMPDIR: sharedTemporary },
					}),
				},
				stdio: ["ignore", "ignore", "inherit"],
			});
			await model.arrived(1);
			if (bash) expect(await until(isSleeping, 60_000)).toBe(true);
			else expect(runningWith(bench.mark)).toHaveLength(2);
			expect(await goneAfter(bench.mark, () => parent.kill("SIGKILL"), GONE_WITHIN_MS)).toBe(true);
			// The child removed the run's directory itself; only the lock is left, and the next run takes it over.
			expect(readdirSync(bench.temporary)).toEqual([]);
			expect(listRunDirectories(join(bench.home, ".pi", "agent"))).toEqual([]);
			const lock = (readdirSync(bench.home, { recursive: true }) as string[]).find((name) =>
				name.endsWith(".lock"),
			);
			const session = join(bench.home, (lock ?? "").slice(0, -".lock".length));
			if (!existsSync(session))
				writeFileSync(
					session,
					`${JSON.stringify({ type: "session", version: 3, id: "x", cwd: bench.project })}\n`,
				);
			await server?.close();
			await useModel(finish);
			const sessionId = /_([0-9a-f-]{36})\.jsonl/.exec(session)?.[1] ?? "";
			expectSuccess(await delegateToPi({ sessionId }), "all done");
		},
	);

	it("row 19: the parent leaving by process.exit takes pi and its bash with it", async () => {
		allowBash();
		await useModel(sleepInBash);
		const parent = spawn(process.execPath, [childFixture("parent-of-delegation"), "exit"], {
			env: {
				...bench.env,
				TMPDIR: bench.temporary,
				PARENT_SETTINGS: JSON.stringify({
					cwd: bench.project,
					agents: bench.agents,
					model: "local/scripted",
					until: "sleep 600",
					subagents: { allowWrite: true },
					env: { PI_SUBAGENT_PI_BINARY: PI, TMPDIR: sharedTemporary },
				}),
			},
			stdio: ["ignore", "pipe", "inherit"],
		});
		const exited = once(parent, "exit");
		await once(createInterface(parent.stdout), "line");
		expect((await exited)[0]).toBe(7);
		expect(await until(() => runningWith(bench.mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it("row 21: exits 0 on a refused key, and the result is a failure all the same", async () => {
		await useModel({
			status: 401,
			message: "key sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0 is not valid",
		});
		const result = await delegateToPi();
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toMatch(/provider failed: .*401/);
		expect(JSON.stringify(result)).not.toContain("A1b2C3d4E5f6");
		expect(server?.requests).toHaveLength(1);
	});

	it("row 21: retries a dead provider by itself, and we do not do it again", async () => {
		await useModel({ status: 503, message: "overloaded" });
		writeFileSync(join(bench.home, ".pi/agent/settings.json"), '{"retry":{"baseDelayMs":100}}');
		const result = await delegateToPi();
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toMatch(/provider failed: .*503/);
		expect(server?.requests).toHaveLength(4);
	});

	it("row 21: a connection broken in the middle is retried by pi and succeeds", async () => {
		await useModel({ reset: "half a sen" }, finish);
		expectSuccess(await delegateToPi(), "all done");
	});

	it.skipIf(cannotMount)(
		"row 45: with no room for its session is a clear failure that keeps what it had said",
		async () => {
			const sessions = join(bench.home, ".pi/subagent-sessions");
			mkdirSync(sessions, { recursive: true });
			// Room for the lock, not for a session that begins with a long prompt.
			execFileSync("mount", ["-t", "tmpfs", "-o", "size=8k", "none", sessions]);
			writeFileSync(
				join(bench.agents, "prober.md"),
				`---\nname: prober\ndescription: d\ntools: read\n---\n${"probe ".repeat(4000)}\n`,
			);
			try {
				await useModel({ say: "the answer so far" }, finish);
				const result = await delegateToPi();
				expect(result.isError).toBe(true);
				expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
				expect(result.details.error?.message).toMatch(/ENOSPC|EEXIST/);
				expect(result.details.results[0]?.output).toBe("the answer so far");
				expect(result.details.results[0]?.usage).toMatchObject({ input: 100, output: 20 });
			} finally {
				execFileSync("umount", ["-l", sessions]);
			}
		},
	);
});
