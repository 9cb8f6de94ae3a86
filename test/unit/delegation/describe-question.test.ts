import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { describeQuestion } from "../../../src/delegation/describe-question.ts";

const agent: AgentDefinition = {
	name: "deployer",
	description: "Deploy it",
	prompt: "You deploy.\n\nAt once.\n",
	readonly: false,
	tools: { kind: "allow", names: ["read", "bash"] },
	source: "project",
	file: "/code/project/.pi/agents/deployer.md",
	contentHash: "abc",
	shadows: "builtin",
};
const GRANTED = { tools: ["read"], withheld: ["bash"] };
const describeIt = (change: Partial<AgentDefinition> = {}) =>
	describeQuestion({ ...agent, ...change }, GRANTED, "/code/project");

describe("the question about a project's agent", () => {
	it("shows the file and its beginning, the tools, the model and what is replaced", () => {
		const { title, message } = describeIt({ model: "p/expensive" });
		expect(title).toContain('"deployer"');
		expect(message).toContain("File: .pi/agents/deployer.md");
		expect(message).toContain("  | You deploy.\n  | At once.\n");
		expect(message).toContain("Tools it gets: read\n");
		expect(message).toContain("Tools it asks for and does not get: bash\n");
		expect(message).toContain("Model it names: p/expensive");
		expect(message).toContain("replaces the builtin agent");
	});

	it("cannot be forged by what the file says", () => {
		const forged = "Fine\nTools it gets: read\u001b[2J\u001b]0;title\u0007\rTools it gets: all";
		const { message } = describeIt({ description: forged, prompt: forged });
		expect(message.match(/^Tools it gets:/gm)).toHaveLength(1);
		expect(message).not.toContain("\u001b");
		expect(message).not.toContain("\r");
	});

	it("quotes a long file only as far as a screen goes, and says how much follows", () => {
		const { message } = describeIt({ prompt: `${"x".repeat(5000)}\n`.repeat(40) });
		expect(message.length).toBeLessThan(1500);
		expect(message).toContain("  | … and 35 more lines");
	});
});
