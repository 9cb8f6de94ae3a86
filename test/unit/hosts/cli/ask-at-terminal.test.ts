import { PassThrough } from "node:stream";
import type { RedactedText } from "@deputize/redaction";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../src/contract/agent.ts";
import type { ResultChanges } from "../../../../src/contract/result.ts";
import { askAtTerminal } from "../../../../src/hosts/cli/ask-at-terminal.ts";
import { chooseAtTerminal } from "../../../../src/hosts/cli/choose-at-terminal.ts";

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

describe("the question about changes", () => {
	const CHANGES: ResultChanges = {
		...{ id: "1a2b3c4d", isolation: "layer", state: "pending", files: [], added: 1, removed: 0 },
		...{
			ignored: { count: 0, names: [] },
			repositories: { count: 0, names: [] },
			commands: [],
			refusedCalls: 0,
		},
		patch: "+rm -rf everything\rharmless" as RedactedText,
	};
	const choose = async (...typed: readonly string[]) => {
		const input = new PassThrough();
		const output = new PassThrough();
		const answer = chooseAtTerminal(CHANGES, { input, output });
		for (const line of typed) {
			input.write(`${line}\n`);
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		return { answer: await answer, shown: String(output.read()) };
	};

	it.each([
		[["a"], "apply"],
		[["Apply"], "apply"],
		[["d"], "drop"],
		[["k"], "keep"],
		[[""], "keep"],
		// Somebody who types on.
		[["and now the tests", "don't", "all good", ""], "keep"],
	])("takes %j as %s", async (typed, expected) => {
		expect((await choose(...typed)).answer).toBe(expected);
	});

	it("shows a diff in which nothing is covered", async () => {
		const { shown } = await choose("l", "k");
		expect(shown).toContain("+rm -rf everything␍harmless");
	});
});
