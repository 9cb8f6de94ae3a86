import { expect, it } from "vitest";
import type { AgentDefinition } from "../../../../../src/contract/agent.ts";
import { askAboutAgent, type QuestionContext } from "../../../../../src/hosts/pi/parent/ask-about-agent.ts";

const agent: AgentDefinition = {
	name: "deployer",
	description: "Deploy it",
	prompt: "You deploy.",
	readonly: false,
	tools: { kind: "allow", names: ["read", "bash"] },
	source: "project",
	file: "/code/project/.pi/agents/deployer.md",
	contentHash: "abc",
};

it.each(["tui", "rpc"])("offers what decides nothing first, in mode %s", async (mode) => {
	const offered: string[][] = [];
	const ui = {
		theme: { fg: (_color: string, text: string) => text },
		select: async (_title: string, options: string[]) => {
			offered.push(options);
			return [...options, undefined][offered.length - 1];
		},
	};
	const context = { cwd: "/code/project", mode, ui } as unknown as QuestionContext;
	const granted = { tools: ["read"], withheld: ["bash"] };
	expect(await askAboutAgent(agent, granted, context)).toBe("not-now");
	expect(await askAboutAgent(agent, granted, context)).toBe(true);
	expect(await askAboutAgent(agent, granted, context)).toBe(false);
	expect(await askAboutAgent(agent, granted, context), "Esc").toBe("not-now");
});
