import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { chooseModel } from "../../../src/delegation/choose-model.ts";

const agent = (model?: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
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
	...more,
});
const configured = (model = "", thinking = "inherit") => ({ configured: { model, thinking } });

describe("chooseModel", () => {
	it.each([
		[
			"what was asked for wins",
			agent("x/agent"),
			{ requested: "x/asked", parentModel: "x/parent" },
			{ model: "x/asked", why: "asked for", isNamed: true, fallbacks: [] },
		],
		[
			"the agent's own comes before the parent's",
			agent("x/agent"),
			{ parentModel: "x/parent", parentThinkingLevel: "high" },
			{ model: "x/agent", why: "its file", isNamed: true },
		],
		[
			"the agent's own comes before the configuration's, which comes before the parent's",
			agent("x/agent"),
			{ ...configured("x/all"), parentModel: "x/parent" },
			{ model: "x/agent" },
		],
		[
			"the configuration's comes before the parent's",
			agent(),
			{ ...configured("x/all, y/other"), parentModel: "x/parent", parentThinkingLevel: "high" },
			{ model: "x/all", why: "subagents.model", fallbacks: [{ model: "y/other" }] },
		],
		[
			"a level of the agent goes with every model of its list, unless one has its own",
			agent("x/a", { fallbackModels: ["x/b:off", "offline"], thinking: "high" }),
			configured("", "low"),
			{
				model: "x/a",
				thinkingLevel: "high",
				fallbacks: [{ model: "x/b", thinkingLevel: "off" }, { model: "offline/navigator" }],
			},
		],
		[
			"a level of the configuration replaces the parent's, also with the parent's model",
			agent(),
			{ ...configured("", "low"), parentModel: "x/parent", parentThinkingLevel: "high" },
			{ model: "x/parent", thinkingLevel: "low" },
		],
		[
			"a level alone goes with pi's own choice",
			agent(undefined, { thinking: "minimal" }),
			{ hasCredentials: true },
			{ thinkingLevel: "minimal", why: "pi's default", isNamed: false },
		],
		[
			"the parent's comes with its thinking level",
			agent(),
			{ parentModel: "x/parent", parentThinkingLevel: "high" },
			{ model: "x/parent", thinkingLevel: "high" },
		],
		[
			"pi decides when there are credentials",
			agent(),
			{ hasCredentials: true },
			{ why: "pi's default", fallbacks: [] },
		],
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
		expect(chooseModel(definition, { hasCredentials: false, ...wishes })).toMatchObject(expected);
	});

	it("falls back to the navigator without credentials, and says so", () => {
		const chosen = chooseModel(agent(), { hasCredentials: false });
		expect(chosen.model).toBe("offline/navigator");
		expect(chosen.notice).toMatch(/not by a language model.*ANTHROPIC_API_KEY/);
	});
});
