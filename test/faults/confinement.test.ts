import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FINALIZE_TOOL } from "../../src/contract/finalization.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { childFixture, goneAfter } from "../helpers/process-children.ts";
import {
	createFaultBench,
	expectSuccess,
	type FaultBench,
	type FaultOptions,
	posedPi,
} from "../helpers/process-faults.ts";
import { type ModelServer, type ModelStep, startModelServer } from "../helpers/process-model-server.ts";
import { fingerprintTree } from "../helpers/process-tree.ts";

const PI = fileURLToPath(
	new URL("../../node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js", import.meta.url),
);
const HOSTILE = fileURLToPath(new URL("../fixtures/children/hostile-extension.mjs", import.meta.url));

let bench: FaultBench;
let server: ModelServer | undefined;
let agentDirectory: string;
const sharedTemporary = process.env["TMPDIR"] ?? "/tmp";

const probe = await probeSandbox({ env: process.env });
/** Optional on a developer's machine, not in CI. */
const isLeftOut = !probe.works && process.env["CI"] !== "true";

beforeAll(() => {
	if (!probe.works && !isLeftOut)
		throw new Error(`These tests need a working bubblewrap (package "bubblewrap"): ${probe.reason}`);
});

beforeEach(() => {
	bench = createFaultBench();
	agentDirectory = join(bench.home, ".pi/agent");
	mkdirSync(join(agentDirectory, "extensions"), { recursive: true });
	writeFileSync(join(agentDirectory, "settings.json"), "{}");
	mkdirSync(join(bench.home, ".ssh"), { mode: 0o700 });
	writeFileSync(join(bench.home, ".ssh/id_ed25519"), "PRIVATE-KEY-MATERIAL", { mode: 0o600 });
	mkdirSync(join(bench.project, "src"));
	writeFileSync(join(bench.project, "src/code.ts"), "export const answer = 42;\n");
	writeFileSync(join(bench.project, "run.sh"), "#!/bin/sh\n");
	chmodSync(join(bench.project, "run.sh"), 0o755);
	symlinkSync("src/code.ts", join(bench.project, "link.ts"));
});
afterEach(async () => {
	await server?.close();
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

async function useModel(...steps: ModelStep[]): Promise<void> {
	server = await startModelServer(steps);
	server.configure(agentDirectory);
}

function delegateConfined(options: FaultOptions = {}) {
	return bench.delegateTo(PI, {
		model: "local/scripted",
		// To ask pi for its models would start a second one each time.
		host: { listModels: () => ["local/scripted"] },
		...options,
		env: { TMPDIR: sharedTemporary, ...options.env },
		subagents: { sandbox: "required", ...options.subagents },
	});
}

const finish: ModelStep = { call: FINALIZE_TOOL, args: { status: "SUCCESS", result: "all done" } };

describe.skipIf(isLeftOut)("a confined child", { timeout: 90_000 }, () => {
	it("does its work with real pi, says that it was confined, and can be continued", async () => {
		await useModel({ call: "read", args: { path: "src/code.ts" } }, finish, finish);
		const result = await delegateConfined();
		expectSuccess(result, "all done");
		expect(result.details.results[0]?.confinement).toBe("os-sandbox");
		expect(server?.requests[1]).toContain("export const answer = 42;");
		expectSuccess(await delegateConfined({ sessionId: result.details.sessionId ?? "" }), "all done");
	});

	it("that is hostile in every way it knows changes nothing", async () => {
		await useModel({ call: "read", args: { path: "src/code.ts" } }, finish);
		const before = {
			project: fingerprintTree(bench.project),
			ssh: fingerprintTree(join(bench.home, ".ssh")),
		};
		const settings = fingerprintTree(agentDirectory);
		const result = await bench.delegateTo(PI, {
			host: { parentModel: "local/scripted", findModelExtensions: () => [HOSTILE] },
			...{ model: "" },
			env: { TMPDIR: sharedTemporary, PI_TEST_PROJECT: bench.project, PI_TEST_AGENT: agentDirectory },
			subagents: { sandbox: "required" },
		});
		expect(result.details.results[0]?.confinement).toBe("os-sandbox");
		// Beside its session, where it can leave something.
		const left = (readdirSync(bench.home, { recursive: true }) as string[]).find((name) =>
			name.endsWith("hostile-report"),
		);
		const report = readFileSync(join(bench.home, left ?? ""), "utf8");
		expect(report).toContain("loaded");
		expect(report).not.toContain("SUCCEEDED");
		expect(fingerprintTree(bench.project)).toEqual(before.project);
		expect(fingerprintTree(join(bench.home, ".ssh"))).toEqual(before.ssh);
		const own = /^deputize(\/|$)/;
		const keep = (tree: Record<string, string>) =>
			Object.fromEntries(Object.entries(tree).filter(([name]) => !own.test(name)));
		expect(keep(fingerprintTree(agentDirectory))).toEqual(keep(settings));
	});

	it("is refused files that hold credentials", async () => {
		await useModel(
			{ call: "read", args: { path: join(bench.home, ".ssh/id_ed25519") } },
			{ call: "read", args: { path: "/proc/self/environ" } },
			{ call: "read", args: { path: join(agentDirectory, "models.json") } },
			finish,
		);
		expectSuccess(await delegateConfined(), "all done");
		expect(server?.requests).toHaveLength(4);
		expect(server?.requests[3]).toContain("may not be read");
		expect(server?.requests[3]).not.toContain("PRIVATE-KEY-MATERIAL");
		expect(server?.requests[3]).not.toContain(bench.mark);
	});

	it("goes with a parent that is killed, whatever it does", async () => {
		await useModel({ hang: "half" });
		const parent = spawn(process.execPath, [childFixture("parent-of-delegation"), "live"], {
			env: {
				...bench.env,
				TMPDIR: bench.temporary,
				PARENT_SETTINGS: JSON.stringify({
					cwd: bench.project,
					agents: bench.agents,
					model: "local/scripted",
					until: "never",
					subagents: { sandbox: "required" },
					env: { PI_SUBAGENT_PI_BINARY: PI },
				}),
			},
			stdio: ["ignore", "ignore", "inherit"],
		});
		await server?.arrived(1);
		expect(await goneAfter(bench.mark, () => parent.kill("SIGKILL"), 5000)).toBe(true);
		// The namespace went at once, so nobody could tidy up: the next run does, and takes the lock over.
		const lock = (readdirSync(bench.home, { recursive: true }) as string[]).find((name) =>
			name.endsWith(".lock"),
		);
		const session = join(bench.home, (lock ?? "").slice(0, -".lock".length));
		writeFileSync(
			session,
			`${JSON.stringify({ type: "session", version: 3, id: "x", cwd: bench.project })}\n`,
		);
		await server?.close();
		await useModel(finish);
		const sessionId = /_([0-9a-f-]{36})\.jsonl/.exec(session)?.[1] ?? "";
		expectSuccess(await delegateConfined({ sessionId }), "all done");
	});
});

describe.skipIf(isLeftOut)("a confined child that dies", () => {
	it.each([
		["SIGSEGV", 2],
		["SIGKILL", 1],
	])("of %s is told apart from one that exits, with %i start(s)", async (signal, starts) => {
		const result = await bench.delegateTo(posedPi("die-by-signal"), {
			subagents: { sandbox: "required" },
			env: { PI_TEST_SIGNAL: signal },
		});
		expect(result.details.error?.message).toContain(`killed by ${signal}`);
		expect(result.details.results[0]).toMatchObject({ output: "the first half", usage: { turns: starts } });
	});
});

describe.skipIf(isLeftOut)("a sandbox that is required and does not work", () => {
	it("means that nothing is started", async () => {
		const result = await bench.delegateTo(posedPi("good-run"), {
			subagents: { sandbox: "required" },
			env: { PATH: "/nowhere" },
		});
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toMatch(/sandbox.*required.*Nothing was started/);
		expect(bench.starts()).toBe(0);
	});

	it("is said in the result when it is only wished for", async () => {
		const result = await bench.delegateTo(posedPi("good-run"), {
			subagents: { sandbox: "auto" },
			env: { PATH: "/nowhere" },
		});
		expectSuccess(result, "done: probe");
		expect(result.details.results[0]?.confinement).toBe("tools-only");
	});
});
