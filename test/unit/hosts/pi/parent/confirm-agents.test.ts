import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../../src/contract/agent.ts";
import { createAgentQuestions, describeQuestion } from "../../../../../src/hosts/pi/parent/confirm-agents.ts";

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

type Context = Parameters<ReturnType<typeof createAgentQuestions>["confirm"]>[2];

function createContext(answers: boolean[]): { context: Context; asked: string[]; open: () => number } {
	const asked: string[] = [];
	let open = 0;
	let most = 0;
	const ui = {
		async confirm(title: string) {
			asked.push(title);
			open += 1;
			most = Math.max(most, open);
			await new Promise((resolve) => setImmediate(resolve));
			open -= 1;
			return answers.shift() ?? false;
		},
	};
	return { context: { cwd: "/code/project", ui } as unknown as Context, asked, open: () => most };
}

describe("questions about project agents", () => {
	it("show the file, the tools and what is replaced", () => {
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

	it("offer the no first where a person may be typing", async () => {
		const offered: string[][] = [];
		const ui = {
			theme: { fg: (_color: string, text: string) => text },
			select: async (_title: string, options: string[]) => {
				offered.push(options);
				return options[offered.length - 1];
			},
		};
		const context = { cwd: "/code/project", mode: "tui", ui } as unknown as Context;
		expect(await createAgentQuestions().confirm(agent, GRANTED, context)).toBe(false);
		expect(await createAgentQuestions().confirm(agent, GRANTED, context)).toBe(true);
		expect(offered[0]?.[0]).toBe("No");
	});

	it("are asked once for parallel calls of the same agent", async () => {
		const { context, asked } = createContext([true]);
		const questions = createAgentQuestions();
		const answers = await Promise.all([
			questions.confirm(agent, GRANTED, context),
			questions.confirm(agent, GRANTED, context),
		]);
		expect(answers).toEqual([true, true]);
		expect(asked).toHaveLength(1);
	});

	it("come one after the other for different agents", async () => {
		const { context, asked, open } = createContext([true, false]);
		const questions = createAgentQuestions();
		const other = { ...agent, name: "other", contentHash: "def" };
		const answers = await Promise.all([
			questions.confirm(agent, GRANTED, context),
			questions.confirm(other, GRANTED, context),
		]);
		expect(answers).toEqual([true, false]);
		expect(asked).toHaveLength(2);
		expect(open()).toBe(1);
	});

	it("are not repeated in a session after a no", async () => {
		const { context, asked } = createContext([false, true]);
		const questions = createAgentQuestions();
		expect(await questions.confirm(agent, GRANTED, context)).toBe(false);
		expect(await questions.confirm(agent, GRANTED, context)).toBe(false);
		expect(asked).toHaveLength(1);
	});

	it("are asked again when the content changed, and after a run that was cancelled", async () => {
		const { context, asked } = createContext([false, true, true]);
		const questions = createAgentQuestions();
		const cancelled = new AbortController();
		const first = questions.confirm(agent, GRANTED, context, cancelled.signal);
		cancelled.abort();
		expect(await first).toBe(false);
		expect(await questions.confirm(agent, GRANTED, context)).toBe(false);
		expect(await questions.confirm({ ...agent, contentHash: "new" }, GRANTED, context)).toBe(true);
		expect(asked).toHaveLength(2);
	});
});
