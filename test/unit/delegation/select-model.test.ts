import { describe, expect, it } from "vitest";
import type { AgentDefinition, RuntimeName } from "../../../src/contract/agent.ts";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import type { ChosenModel } from "../../../src/delegation/decide-model.ts";
import { selectModel } from "../../../src/delegation/select-model.ts";

const agent = { file: "/a.md" } as AgentDefinition;
const chosen = (model: string, ...others: string[]): ChosenModel => ({
	model,
	thinkingLevel: "low",
	why: "its file",
	isNamed: true,
	fallbacks: others.map((name) => ({ model: name })),
});
const select = (
	choice: ChosenModel,
	options: { models?: readonly string[]; runtime?: RuntimeName; env?: Record<string, string> } = {},
): Promise<ChosenModel> =>
	selectModel(choice, agent, options.runtime ?? "pi", {
		host: { parentModel: "x/parent", listModels: () => options.models ?? [] },
		surroundings: { env: options.env ?? {}, home: "", agentDirectory: "", depth: 0 },
		config: DEFAULT_CONFIG,
	});

describe("selectModel", () => {
	it("takes the first that pi can use, keeps the usable ones after it and says what was left out", async () => {
		const models = ["x/b", "x/d"];
		const selected = await select(chosen("x/a", "x/b", "x/c", "x/d", "offline/navigator"), { models });
		expect(selected).toMatchObject({
			model: "x/b",
			fallbacks: [{ model: "x/d" }, { model: "offline/navigator" }],
			notice: expect.stringMatching(/^x\/b answers: .*"x\/a"/),
		});
		expect(selected).not.toHaveProperty("thinkingLevel");
	});

	it("says nothing when the first can be used", async () => {
		expect(await select(chosen("x/a", "x/b"), { models: ["x/a"] })).toEqual({ ...chosen("x/a") });
	});

	it("refuses when none can be used, with where they are named", async () => {
		await expect(select(chosen("x/a", "x/c"), { models: ["x/b"] })).rejects.toThrow(
			/None of the 2 models in \/a\.md can be used: .*"x\/a".*"x\/c"/,
		);
		const setting = { ...chosen("x/a"), why: "subagents.model" };
		await expect(select(setting, { models: ["x/b"] })).rejects.toThrow(
			/The model in subagents\.model cannot/,
		);
	});

	it("takes every name where pi does not say which models there are", async () => {
		expect(await select(chosen("x/a", "x/b"))).toEqual(chosen("x/a", "x/b"));
	});

	it("does not ask about the parent's own model", async () => {
		const asked = selectModel(chosen("x/parent"), agent, "pi", {
			host: {
				parentModel: "x/parent",
				listModels: () => {
					throw new Error("asked");
				},
			},
			surroundings: { env: {}, home: "", agentDirectory: "", depth: 0 },
			config: DEFAULT_CONFIG,
		});
		expect((await asked).model).toBe("x/parent");
	});

	it("looks for keys where the agent runs without pi", async () => {
		const env = { OPENAI_API_KEY: "k" };
		const selected = await select(chosen("anthropic/a", "openai/b"), { runtime: "loop", env });
		expect(selected).toMatchObject({
			model: "openai/b",
			fallbacks: [],
			notice: expect.stringContaining("ANTHROPIC_API_KEY"),
		});
	});
});
