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

	it.each([
		[{ runtime: "pie" }, 'The option runtime must be one of pi, loop, claude, codex, not "pie".'],
		[{ model: 5 }, "The option model must be a string, not 5."],
		[{ cwd: 5 }, "The option cwd must be a string, not 5."],
		[{ config: {} }, "The option config must be a whole configuration, such as loadConfig gives, not {}."],
		[{ agentsDirectories: "agents" }, 'The option agentsDirectories must be a list of paths, not "agents".'],
		[{ onUpdate: true }, "The option onUpdate must be a function, not true."],
		[{ modle: "a/b" }, 'There is no option "modle". Did you mean model?'],
		[{ zzz: 1 }, 'There is no option "zzz". Options: cwd, config,'],
	])("refuses options that are none: %j", async (wrong, message) => {
		const asked = { ...options(), ...wrong } as DelegateOptions;
		const result = await delegate({ agent: "explorer", task: "x" }, asked);
		expect(result.details.error).toMatchObject({
			code: "INVALID_INPUT",
			message: expect.stringContaining(message),
		});
		expect(await describeDelegation({ agent: "explorer", task: "x" }, asked)).toMatchObject({
			error: { code: "INVALID_INPUT", message: expect.stringContaining(message) },
		});
	});

	it("takes null for an option that is not given", async () => {
		const asked = { ...options(), model: null, runtime: null } as unknown as DelegateOptions;
		const result = await delegate({ agent: "nobody", task: "x" }, asked);
		expect(result.details.error?.code).toBe("UNKNOWN_AGENT");
	});

	it("names the skipped file of an unknown agent before all others", async () => {
		place.write(
			join(place.agentDirectory, "agents/cheap.md"),
			"---\nname: cheap\ndescription: x\nthinking: lots\n---\n",
		);
		const result = await delegate({ agent: "cheap", task: "x" }, options());
		expect(result.details.error?.message).toMatch(
			/^Unknown agent: cheap\. The file cheap\.md was skipped: thinking /,
		);
		expect(result.details.error?.message).toContain("Available agents: explorer");
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
