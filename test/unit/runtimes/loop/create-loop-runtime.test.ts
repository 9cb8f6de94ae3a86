import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../src/contract/config.ts";
import type { ChildPlan } from "../../../../src/contract/plan.ts";
import { createLoopRuntime } from "../../../../src/runtimes/loop/create-loop-runtime.ts";

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
