import { describe, expect, it } from "vitest";
import { findSwitchOff } from "../../../src/agents/find-agent-settings.ts";
import { CONFIG_KEYS, parseConfig } from "../../../src/config/parse-config.ts";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";

const EXPLORER = { name: "explorer", source: "builtin", readonly: true } as const;

const user = (content: unknown) => parseConfig(content, { file: "deputize.json", owner: "user" });
const project = (content: unknown, base = DEFAULT_CONFIG) =>
	parseConfig(content, { file: ".pi/deputize.json", owner: "project", base });

/** Keys whose value is a table of its own. */
const TABLES = ["models", "lsp.servers", "subagents.agents"];

function leaves(value: object, prefix = ""): string[] {
	return Object.entries(value).flatMap(([name, part]) =>
		typeof part === "object" && part !== null && !Array.isArray(part) && !TABLES.includes(`${prefix}${name}`)
			? leaves(part, `${prefix}${name}.`)
			: [`${prefix}${name}`],
	);
}

describe("parseConfig", () => {
	it("knows exactly the keys of the defaults, and accepts every default", () => {
		expect([...CONFIG_KEYS.keys()].sort()).toEqual(leaves(DEFAULT_CONFIG).sort());
		expect(user(DEFAULT_CONFIG)).toEqual({ config: DEFAULT_CONFIG, problems: [] });
	});

	it("takes the user's values", () => {
		const { config, problems } = user({ subagents: { timeoutMs: 5000, retry: { maxAttempts: 1 } } });
		expect(problems).toEqual([]);
		expect(config.subagents.timeoutMs).toBe(5000);
		expect(config.subagents.retry).toEqual({ enabled: true, maxAttempts: 1 });
	});

	it.each([
		[{ subagents: { timeoutMs: "60" } }, "subagents.timeoutMs", 'a whole number of at least 1, not "60"'],
		[{ subagents: { timeoutMs: 0 } }, "subagents.timeoutMs", "not 0"],
		[{ subagents: { allowWrite: "yes" } }, "subagents.allowWrite", "true or false"],
		[{ subagents: { sandbox: "maybe" } }, "subagents.sandbox", '"off", "auto", "required"'],
		[{ subagents: { retry: true } }, "subagents.retry", "a JSON object"],
		[{ subagents: { allowedLspActions: ["explode"] } }, "subagents.allowedLspActions", "definition"],
		[{ lsp: { servers: { x: { command: [] } } } }, "lsp.servers", "a table of servers"],
		[{ web: { brave: { baseUrl: "ftp://x" } } }, "web.brave.baseUrl", "http"],
		[{ subagents: { maxTurns: 0 } }, "subagents.maxTurns", "a whole number above 0, or false for no limit"],
		[{ subagents: { maxCost: "1" } }, "subagents.maxCost", "a number above 0, or false"],
		[{ subagents: { readonlyTools: [""] } }, "subagents.readonlyTools", "a list of names"],
		[{ subagents: { readonlyTools: ["x".repeat(2000)] } }, "subagents.readonlyTools", "a list of names"],
		[{ subagents: { thinking: "deep" } }, "subagents.thinking", '"inherit", "off"'],
		[{ subagents: { agents: { explorer: { modle: "x/y" } } } }, "subagents.agents", "any of model, thinking"],
		[{ subagents: { agents: { explorer: { thinking: "deep" } } } }, "subagents.agents", "a table of agents"],
		[{ subagents: { agents: { explorer: { toString: 1 } } } }, "subagents.agents", "a table of agents"],
		[[], "", "must contain a JSON object"],
	])("reports %j with the path of the key", (content, key, message) => {
		const { config, problems } = user(content);
		expect(config).toEqual(DEFAULT_CONFIG);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatchObject({ severity: "error", key });
		expect(problems[0]?.message).toContain(message);
	});

	it("warns about unknown keys and suggests the one that was meant", () => {
		const { problems } = user({ subagents: { allow_write: true }, colour: 1 });
		expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
			["warning", "subagents.allow_write is not a known key; did you mean subagents.allowWrite?"],
			["warning", "colour is not a known key"],
		]);
	});

	it("lets a project tighten and nothing else", () => {
		const base = user({
			subagents: { allowWrite: true, timeoutMs: 1000, projectAgents: "allow", disabledAgents: ["a"] },
		}).config;
		const { config } = project(
			{
				subagents: {
					allowWrite: false,
					timeoutMs: 99,
					sandbox: "required",
					projectAgents: "deny",
					disabledAgents: ["b"],
					allowedLspActions: ["hover"],
				},
			},
			base,
		);
		expect(config.subagents).toMatchObject({
			allowWrite: false,
			timeoutMs: 99,
			sandbox: "required",
			projectAgents: "deny",
		});
		expect(config.subagents.disabledAgents).toEqual(["a", "b"]);
		expect(config.subagents.allowedLspActions).toEqual(["hover"]);
	});

	it("lets a project switch agents off and lower their limits, and not choose models or tools for them", () => {
		const base = user({
			subagents: {
				maxTurns: 20,
				agents: { Explorer: { model: "x/mine", maxTurns: 10 }, tester: { disabled: true, maxCost: 1 } },
			},
		}).config;
		const { config, problems } = project(
			{
				subagents: {
					maxTurns: 5,
					maxCost: 0.5,
					agents: {
						explorer: { model: "evil/logger", thinking: "max", tools: ["bash"], maxTurns: 3, disabled: true },
						tester: { disabled: false, maxCost: 9 },
						reviewer: { model: "evil/logger" },
					},
				},
			},
			base,
		);
		expect(config.subagents).toMatchObject({ maxTurns: 5, maxCost: 0.5 });
		expect(project({ subagents: { maxTurns: false } }, base).config.subagents.maxTurns).toBe(20);
		expect(config.subagents.agents).toEqual({
			Explorer: { model: "x/mine", maxTurns: 3, disabled: true },
			tester: { disabled: true, maxCost: 1 },
			reviewer: {},
		});
		expect(problems.map(({ key }) => key)).toEqual([
			"subagents.agents.explorer.model",
			"subagents.agents.explorer.thinking",
			"subagents.agents.explorer.tools",
			"subagents.agents.reviewer.model",
		]);
	});

	it("takes no agent from the prototype of a table", () => {
		const content: unknown = JSON.parse('{"subagents":{"agents":{"__proto__":{"disabled":true}}}}');
		const { config } = project(content);
		expect(findSwitchOff(EXPLORER, config.subagents)).toBeUndefined();
		expect(({} as { disabled?: boolean }).disabled).toBeUndefined();
	});

	it.each([
		{ subagents: { allowWrite: true } },
		{ subagents: { timeoutMs: 10_000_000 } },
		{ subagents: { sandbox: "off" } },
		{ subagents: { projectAgents: "allow" } },
		{ web: { allowPrivateNetwork: true } },
		{ web: { tavily: { baseUrl: "https://evil.example" } } },
		{ convert: { command: "/bin/sh" } },
		{ lsp: { allowMutatingActions: true } },
		{ lsp: { servers: { evil: { command: ["sh"] } } } },
		{ subagents: { model: "evil/logger" } },
		{ subagents: { thinking: "max" } },
		{ subagents: { readonlyTools: ["*"] } },
	])("ignores a project that loosens, and says so: %j", (content) => {
		const { config, problems } = project(content);
		expect(config).toEqual(DEFAULT_CONFIG);
		expect(problems).toHaveLength(1);
		expect(problems[0]?.severity).toBe("warning");
	});
});
