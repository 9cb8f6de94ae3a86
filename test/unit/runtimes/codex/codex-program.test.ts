import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChildPlan } from "../../../../src/contract/plan.ts";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import { CODEX_PROGRAM } from "../../../../src/runtimes/codex/codex-program.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

describe("a Codex child", () => {
	let home: TestHome;
	beforeEach(() => {
		home = createTestHome();
	});
	afterEach(() => home.remove());
	const plan = (): ChildPlan =>
		({
			cwd: home.project,
			tools: ["read"],
			mayWrite: true,
			systemPrompt: "",
			agent: { name: "a" },
			finalize: { mode: "text" },
		}) as unknown as ChildPlan;
	const configure = (text: string) => home.write(`${home.home}/.codex/config.toml`, text);

	it("answers with the model of the user's settings, and its result names it", () => {
		configure('model = "gpt-5"\n');
		const reader = CODEX_PROGRAM.createReader(plan(), NO_USAGE, home);
		const item = { id: "m", type: "agent_message", text: "x" };
		const events = [
			...reader.read({ type: "item.completed", item }),
			...reader.read({ type: "turn.completed", usage: {} }),
		];
		expect(events).toContainEqual(
			expect.objectContaining({ type: "assistant-message", model: "openai/gpt-5" }),
		);
	});

	it.each([
		["goes to the address in OPENAI_BASE_URL, which Codex does not read", "", true],
		["goes to the provider of the user's own settings", 'model_provider = "own"\n', false],
		["goes to the address in the user's own settings", 'openai_base_url = "http://own/v1"\n', false],
	])("%s", (_title, settings, isTaken) => {
		configure(settings);
		const place = {
			home: "",
			loginDirectory: "",
			temporaryDirectory: "",
			systemPromptFile: "",
			schemaFile: "",
		};
		const surroundings = { ...home, env: { ...home.env, OPENAI_BASE_URL: "http://127.0.0.1:9" } };
		const options = { surroundings, command: "codex", resumes: undefined, isLent: false };
		const { files } = CODEX_PROGRAM.describe(plan(), place, options);
		expect(files["config.toml"]?.includes('openai_base_url = "http://127.0.0.1:9/v1"')).toBe(isTaken);
	});
});
