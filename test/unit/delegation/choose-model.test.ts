import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { chooseModel } from "../../../src/delegation/choose-model.ts";

const agent = (model?: string): AgentDefinition => ({
	...{
		name: "a",
		description: "",
		prompt: "",
		readonly: true,
		tools: { kind: "default" },
		source: "user",
		file: "",
		contentHash: "",
	},
	...(model ? { model } : {}),
});

describe("chooseModel", () => {
	it.each([
		[
			"what was asked for wins",
			agent("x/agent"),
			{ requested: "x/asked", parentModel: "x/parent" },
			{ model: "x/asked" },
		],
		[
			"the agent's own comes before the parent's",
			agent("x/agent"),
			{ parentModel: "x/parent", parentThinkingLevel: "high" },
			{ model: "x/agent" },
		],
		[
			"the parent's comes with its thinking level",
			agent(),
			{ parentModel: "x/parent", parentThinkingLevel: "high" },
			{ model: "x/parent", thinkingLevel: "high" },
		],
		["pi decides when there are credentials", agent(), { hasCredentials: true }, {}],
		[
			"offline wins over everything",
			agent("x/agent"),
			{ offline: true, requested: "x/asked" },
			{ model: "offline/navigator" },
		],
		[
			"offline can be asked for by name",
			agent(),
			{ requested: "offline", hasCredentials: true },
			{ model: "offline/navigator" },
		],
	])("%s", (_rule, definition, wishes, expected) => {
		expect(chooseModel(definition, { hasCredentials: false, ...wishes })).toEqual(expected);
	});

	it("falls back to the navigator without credentials, and says so", () => {
		const chosen = chooseModel(agent(), { hasCredentials: false });
		expect(chosen.model).toBe("offline/navigator");
		expect(chosen.notice).toMatch(/not by a language model.*ANTHROPIC_API_KEY/);
	});
});
