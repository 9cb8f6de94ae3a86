import { describe, expect, it } from "vitest";
import type { ChildPlan } from "../../../../src/contract/plan.ts";
import { buildPiArguments } from "../../../../src/runtimes/pi/build-pi-arguments.ts";

const plan = (change: Partial<ChildPlan> = {}): ChildPlan =>
	({
		tools: ["read", "grep"],
		extensions: [],
		session: { id: "i", file: "/s/a_i.jsonl", resumed: false },
		projectTrust: "undecided",
		...change,
	}) as ChildPlan;
const build = (change: Partial<ChildPlan> = {}, piVersion = "0.87.1") =>
	buildPiArguments(plan(change), {
		systemPrompt: "/run/p.md",
		ownExtension: "/ext/child.js",
		piVersion,
	}).join(" ");

describe("buildPiArguments", () => {
	it("starts a child that loads nothing but what it was granted", () => {
		expect(build()).toBe(
			"--mode json -p --session /s/a_i.jsonl --system-prompt /run/p.md --tools read,grep,subagent_finalize --no-extensions -e /ext/child.js --no-skills --no-prompt-templates --no-themes --no-approve --no-context-files",
		);
	});

	it("passes an explicit list even when no tool was granted", () => {
		expect(build({ tools: [] })).toContain("--tools subagent_finalize --no-extensions");
	});

	it("passes model and thinking level", () => {
		expect(build({ model: "x/m", thinkingLevel: "high" })).toContain("--model x/m --thinking high");
	});

	it("loads exactly the extensions that granted tools come from", () => {
		expect(build({ extensions: ["/a.ts", "/b.ts"] })).toContain("-e /ext/child.js -e /a.ts -e /b.ts");
	});

	it("follows the decision about the project", () => {
		expect(build({ projectTrust: "trusted" })).toMatch(/ --approve --no-context-files$/);
		expect(build({ projectTrust: "refused" })).toMatch(/--no-approve --no-context-files$/);
	});

	it("switches MCP off where pi has it, and does not name the flag to a pi that does not know it", () => {
		expect(build({}, "1.5.0")).toMatch(/--no-mcp$/);
		expect(build()).not.toContain("--no-mcp");
	});

	it("leaves MCP on for a tool of a server, and the project's servers off", () => {
		const change = { extensions: ["builtin:mcp"], projectTrust: "trusted" } as const;
		const line = build({ ...change, tools: ["read", "mcp__docs__look"] }, "1.5.0");
		expect(line).toContain("--tools read,mcp__docs__look,subagent_finalize --no-extensions");
		expect(line).toContain("-e builtin:mcp");
		expect(line).toContain("--no-approve");
		expect(line).not.toContain("--no-mcp");
	});
});
