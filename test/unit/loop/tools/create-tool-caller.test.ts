import { expect, it } from "vitest";
import { createToolCaller } from "../../../../src/loop/tools/create-tool-caller.ts";

const context = { cwd: "/", signal: new AbortController().signal };

it("tells a model why a tool it asks for is not there", async () => {
	const missing = new Map([["python_execute", "Install a sandbox."]]);
	const caller = createToolCaller([], context, missing);
	expect(caller.declarations).toEqual([]);
	const answer = await caller.answer({ id: "1", name: "python_execute", argumentsText: "{}" }, {});
	expect(answer).toEqual({
		text: 'Error: There is no tool named "python_execute". Install a sandbox. Available tools: none.',
		isError: true,
	});
	expect((await caller.answer({ id: "2", name: "bash", argumentsText: "{}" }, {})).text).not.toContain(
		"sandbox",
	);
});
