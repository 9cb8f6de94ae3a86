import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../src/contract/agent.ts";
import { askAtTerminal } from "../../../../src/hosts/cli/ask-at-terminal.ts";

const AGENT: AgentDefinition = {
	name: "deployer",
	description: "d",
	prompt: "You deploy.",
	readonly: false,
	tools: { kind: "default" },
	source: "project",
	file: "/project/.pi/agents/deployer.md",
	contentHash: "h",
};

function ask(signal = new AbortController().signal) {
	const input = new PassThrough();
	const output = new PassThrough();
	const granted = { tools: ["read"], withheld: ["bash"] };
	const answer = askAtTerminal(AGENT, granted, { cwd: "/project", signal, input, output });
	return { input, answer, shown: () => String(output.read()) };
}

describe("the question at the terminal", () => {
	it("shows what would run", async () => {
		const { input, answer, shown } = ask();
		input.write("\n");
		await answer;
		expect(shown()).toMatch(/^Run the agent "deployer"[\s\S]*Tools it gets: read\n[\s\S]*\[y\/N\] $/);
	});

	it.each(["y\n", "Y\n", " yes \n"])("takes %j as a yes", async (typed) => {
		const { input, answer } = ask();
		input.write(typed);
		expect(await answer).toBe(true);
	});

	it.each(["\n", "n\n", "yesterday\n", "no, yes\n", "\u001b[Ay?\n"])("takes %j as a no", async (typed) => {
		const { input, answer } = ask();
		input.write(typed);
		expect(await answer).toBe(false);
	});

	it("takes the end of the input and a run that is stopped as a no", async () => {
		const ended = ask();
		ended.input.end();
		expect(await ended.answer).toBe(false);
		const stopping = new AbortController();
		const stopped = ask(stopping.signal);
		stopping.abort();
		expect(await stopped.answer).toBe(false);
		expect(await ask(AbortSignal.abort()).answer).toBe(false);
	});
});
