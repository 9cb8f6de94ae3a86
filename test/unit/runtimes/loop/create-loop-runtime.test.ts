import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../src/contract/config.ts";
import type { ChildPlan } from "../../../../src/contract/plan.ts";
import { createLoopRuntime } from "../../../../src/runtimes/loop/create-loop-runtime.ts";
import { probeSandbox } from "../../../../src/sandbox/probe-sandbox.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

const runtime = createLoopRuntime({ env: {}, home: "/", agentDirectory: "/", config: DEFAULT_CONFIG });

async function describeLimits(limits: ChildPlan["limits"]): Promise<readonly string[]> {
	const plan = {
		limits,
		tools: [] as readonly string[],
		model: "offline",
		mayWrite: true,
		depth: 0,
	} as ChildPlan;
	return (await runtime.describe(plan)).args.slice(1);
}

describe("the limits of a loop child", () => {
	it("leave the parent time to be first", async () => {
		expect(await describeLimits({ timeoutMs: 1000, idleTimeoutMs: 0.5, maxMemoryMb: 4096 })).toEqual([
			...["--timeout-ms", "61000"],
			...["--idle-timeout-ms", "60001"],
		]);
	});

	it("stay what the child accepts, however long the parent would wait", async () => {
		expect(
			await describeLimits({ timeoutMs: 100_000_000_000, idleTimeoutMs: 2 ** 31 - 1, maxMemoryMb: 4096 }),
		).toEqual([...["--timeout-ms", "2147483647"], ...["--idle-timeout-ms", "2147483647"]]);
	});
});

/** Bubblewrap is optional on a developer's machine, not in CI. */
const isLeftOut = !(await probeSandbox({ env: process.env })).works && process.env["CI"] !== "true";

describe("a confined loop child", () => {
	let home: TestHome;
	beforeEach(() => {
		home = createTestHome();
	});
	afterEach(() => home.remove());

	it.skipIf(isLeftOut)(
		"has its temporary files in its run directory: everything else is read-only",
		async () => {
			const env = { ...home.env, PATH: process.env["PATH"], TMPDIR: "/tmp" };
			const { agentDirectory } = home;
			const confined = createLoopRuntime({ env, home: home.home, agentDirectory, config: DEFAULT_CONFIG });
			const plan = {
				limits: { timeoutMs: 1000, idleTimeoutMs: 1000, maxMemoryMb: 4096 },
				tools: ["lsp"] as readonly string[],
				model: "offline",
				mayWrite: false,
				sandbox: "required",
				cwd: home.project,
				depth: 0,
				session: { id: "s", file: join(home.home, "s.jsonl"), resumed: false },
				fileRules: { readable: [], unreadable: [] },
			} as unknown as ChildPlan;
			const { confinement, environmentNames, args } = await confined.describe(plan);
			expect(confinement).toBe("os-sandbox");
			expect(environmentNames).toContain("TMPDIR");
			const run = join(agentDirectory, "deputize", "runs", "…");
			expect(args.join(" ")).toContain(`--bind ${run} ${run}`);
		},
	);
});
