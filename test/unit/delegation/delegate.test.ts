import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { delegate } from "../../../src/delegation/delegate.ts";
import type { DelegateOptions } from "../../../src/delegation/delegate-options.ts";
import { describeDelegation } from "../../../src/delegation/describe-delegation.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let place: TestHome;
beforeEach(() => {
	place = createTestHome();
});
afterEach(() => place.remove());

const options = (more: DelegateOptions = {}): DelegateOptions => ({
	cwd: place.project,
	env: { ...place.env, PI_SUBAGENT_PI_BINARY: "/nowhere/pi" },
	offline: true,
	...more,
});

describe("delegate", () => {
	it("refuses input that no JSON can say, like any other wrong input", async () => {
		const circle: { agent?: unknown; task: string } = { task: "x" };
		circle.agent = circle;
		for (const input of [{ agent: "explorer", task: 1n }, circle, { agent: Symbol("a"), task: "x" }]) {
			const result = await delegate(input as never, options());
			expect(result.details.error?.code).toBe("INVALID_INPUT");
		}
	});

	it("refuses times that are none", async () => {
		for (const timeoutMs of [Number.NaN, -5, 0, "abc" as unknown as number]) {
			const result = await delegate({ agent: "explorer", task: "x" }, options({ timeoutMs }));
			expect(result.details.error).toMatchObject({
				code: "INVALID_INPUT",
				message: expect.stringContaining("timeoutMs"),
			});
		}
	});

	it("neither echoes nor records a secret that stands where the name of an agent should", async () => {
		const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
		const result = await delegate({ agent: secret, task: "x" }, options());
		expect(JSON.stringify(result)).not.toContain(secret.slice(4, 20));
		const journal = readFileSync(join(place.agentDirectory, "deputize", "journal.jsonl"), "utf8");
		expect(journal).not.toContain(secret.slice(4, 20));
		const cut = await delegate({ agent: `${"n".repeat(60)} ${secret}`, task: "x" }, options());
		expect(JSON.stringify(cut)).not.toContain(secret.slice(4, 12));
	});

	it("says which key of the configuration it does not know, and where", async () => {
		const file = place.write(join(place.agentDirectory, "deputize.json"), '{"subagents":{"timeoutMS":5000}}');
		const notices: string[] = [];
		await delegate({ agent: "explorer", task: "x" }, options({ onNotice: (line) => notices.push(line) }));
		expect(notices.join("\n")).toContain("subagents.timeoutMS");
		expect(notices.join("\n")).toContain(file);
	});
});

describe("the description of a delegation", () => {
	it("takes a relative directory", async () => {
		const relative = join(dirname(place.project), "other", "..", basename(place.project));
		const plan = await describeDelegation({ agent: "explorer", task: "x" }, options({ cwd: relative }));
		expect(plan).toMatchObject({ error: { message: expect.stringContaining("/nowhere/pi") } });
		const { createDelegationContext } = await import("../../../src/delegation/delegation-context.ts");
		expect(createDelegationContext(options({ cwd: relative })).cwd).toBe(place.project);
	});

	it("refuses to continue a session that does not exist, as the run would", async () => {
		const sessionId = "3f1c1f0e-7f5a-4a52-9d3c-0d6a3f2b1c11";
		const plan = await describeDelegation({ agent: "explorer", task: "x", sessionId }, options());
		expect(plan).toMatchObject({
			error: { code: "INVALID_INPUT", message: expect.stringContaining(sessionId) },
		});
	});
});
