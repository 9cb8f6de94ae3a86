import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCommandContext } from "../../../../../../src/commands/command-context.ts";
import { askNewAgent } from "../../../../../../src/hosts/pi/parent/toolkit/ask-new-agent.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "deputize-new-agent-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function answerWith(answers: readonly (string | undefined)[]) {
	const left = [...answers];
	const asked: string[] = [];
	const answer = async (title: string): Promise<string | undefined> => {
		asked.push(title);
		return left.shift();
	};
	const env = { HOME: home, PI_CODING_AGENT_DIR: home };
	const context = createCommandContext({ cwd: home, env, models: ["scripted/model-1", "scripted/model-2"] });
	return {
		asked,
		ask: () => askNewAgent(undefined, { ui: { input: answer, select: answer } as never }, context),
	};
}

it("asks for the name again when it cannot be one, then for tools, model and thinking", async () => {
	const { ask, asked } = answerWith([
		...["my helper!", "explorer", "my-helper", "Helps me", "read files", "scripted/model-2", "low"],
		"For me, in every project",
	]);
	await ask();
	expect(asked[1]).toMatch(/not "my helper!"[\s\S]*Name of the new agent/);
	expect(asked[2]).toContain("There is an agent explorer already");
	const file = readFileSync(join(home, "agents", "my-helper.md"), "utf8");
	expect(file).toContain("\nmodel: scripted/model-2\nthinking: low\n---\n");
});

it("leaves model and thinking to what is in use, and writes nothing for somebody who gives up", async () => {
	const first = answerWith([
		"a",
		"Helps me",
		"read files",
		"The model in use",
		"The level in use",
		"For me, in every project",
	]);
	await first.ask();
	expect(readFileSync(join(home, "agents", "a.md"), "utf8")).not.toMatch(/^(?:model|thinking):/m);
	expect(await answerWith(["b", "Helps me", "read files", undefined]).ask()).toBeUndefined();
	expect(await answerWith(["my helper!", undefined]).ask()).toBeUndefined();
});
