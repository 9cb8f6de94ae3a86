import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { createAgentQuestions } from "../../../src/delegation/agent-questions.ts";
import type { TrustAnswer } from "../../../src/delegation/check-agent-trust.ts";

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

function createPerson(answers: TrustAnswer[]) {
	let asked = 0;
	let open = 0;
	let most = 0;
	const ask = async (): Promise<TrustAnswer> => {
		asked += 1;
		open += 1;
		most = Math.max(most, open);
		await new Promise((resolve) => setImmediate(resolve));
		open -= 1;
		return answers.shift() ?? false;
	};
	return { ask, asked: () => asked, openAtOnce: () => most };
}

describe("questions about project agents", () => {
	it("are asked once for parallel calls of the same agent", async () => {
		const { ask, asked } = createPerson([true]);
		const questions = createAgentQuestions();
		const answers = await Promise.all([questions.confirm(agent, ask), questions.confirm(agent, ask)]);
		expect(answers).toEqual([true, true]);
		expect(asked()).toBe(1);
	});

	it("come one after the other for different agents", async () => {
		const { ask, asked, openAtOnce } = createPerson([true, false]);
		const questions = createAgentQuestions();
		const other = { ...agent, name: "other", contentHash: "def" };
		const answers = await Promise.all([questions.confirm(agent, ask), questions.confirm(other, ask)]);
		expect(answers).toEqual([true, false]);
		expect(asked()).toBe(2);
		expect(openAtOnce()).toBe(1);
	});

	it("are not repeated in a session after a no", async () => {
		const { ask, asked } = createPerson([false, true]);
		const questions = createAgentQuestions();
		expect(await questions.confirm(agent, ask)).toBe(false);
		expect(await questions.confirm(agent, ask)).toBe(false);
		expect(asked()).toBe(1);
	});

	it("are put off by a not now until the person speaks again", async () => {
		const { ask, asked } = createPerson(["not-now", true]);
		const questions = createAgentQuestions();
		expect(await questions.confirm(agent, ask)).toBe("not-now");
		expect(await questions.confirm(agent, ask)).toBe("not-now");
		expect(asked()).toBe(1);
		questions.askAgain();
		expect(await questions.confirm(agent, ask)).toBe(true);
	});

	it("are not asked again after a no, whatever the person says next", async () => {
		const { ask, asked } = createPerson([false, true]);
		const questions = createAgentQuestions();
		await questions.confirm(agent, ask);
		questions.askAgain();
		expect(await questions.confirm(agent, ask)).toBe(false);
		expect(asked()).toBe(1);
	});

	it("are asked again when the content changed, after a run that was cancelled, and after one that failed", async () => {
		const { ask, asked } = createPerson([false, true, true]);
		const questions = createAgentQuestions();
		const cancelled = new AbortController();
		const first = questions.confirm(agent, ask, cancelled.signal);
		cancelled.abort();
		expect(await first).toBe(false);
		await expect(questions.confirm(agent, () => Promise.reject(new Error("closed")))).rejects.toThrow(
			"closed",
		);
		expect(await questions.confirm(agent, ask)).toBe(false);
		expect(await questions.confirm({ ...agent, contentHash: "new" }, ask)).toBe(true);
		expect(asked()).toBe(2);
	});
});
