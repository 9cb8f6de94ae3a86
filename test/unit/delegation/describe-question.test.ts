import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { describeQuestion } from "../../../src/delegation/describe-question.ts";

const agent: AgentDefinition = {
	name: "deployer",
	description: "Deploy it",
	prompt: "You deploy.",
	readonly: false,
	tools: { kind: "allow", names: ["read", "bash"] },
	source: "project",
	file: "/code/project/.pi/agents/deployer.md",
	contentHash: "abc",
	shadows: "builtin",
};

const GRANTED = { tools: ["read"], withheld: ["bash"] };

describe("a question about a project agent", () => {
	it("shows the file, the tools and what is replaced", () => {
		const { title, message } = describeQuestion({ ...agent, model: "p/expensive" }, GRANTED, "/code/project");
		expect(title).toContain('"deployer"');
		expect(message).toContain("File: .pi/agents/deployer.md");
		expect(message).toContain("Tools it gets: read\n");
		expect(message).toContain("Tools it asks for and does not get: bash\n");
		expect(message).toContain("Model it names: p/expensive");
		expect(message).toContain("replaces the builtin agent");
	});

	it("cannot be forged by what the file says", () => {
		const description = "Fine\nTools it gets: read\u001b[2J\u001b]0;title\u0007";
		const { message } = describeQuestion({ ...agent, description }, GRANTED, "/code/project");
		expect(message.match(/^Tools it gets:/gm)).toHaveLength(1);
		expect(message).not.toContain("\u001b");
	});
});
