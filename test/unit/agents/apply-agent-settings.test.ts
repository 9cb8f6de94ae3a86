import { describe, expect, it } from "vitest";
import { applyAgentSettings } from "../../../src/agents/apply-agent-settings.ts";
import type { AgentDefinition, AgentSource } from "../../../src/contract/agent.ts";
import { type AgentSettings, DEFAULT_CONFIG, type SubagentsConfig } from "../../../src/contract/config.ts";

const agent = (source: AgentSource, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
	name: "writer",
	description: "",
	prompt: "",
	readonly: false,
	tools: { kind: "allow", names: ["read"] },
	source,
	file: "/writer.md",
	contentHash: "",
	...more,
});
const apply = (
	definition: AgentDefinition,
	settings: AgentSettings,
	more: Partial<SubagentsConfig> = {},
): AgentDefinition =>
	applyAgentSettings(definition, { ...DEFAULT_CONFIG.subagents, agents: { Writer: settings }, ...more });

const CHOICES: AgentSettings = { model: "x/a, x/b", thinking: "high", tools: ["read", "bash"] };

describe("applyAgentSettings", () => {
	it.each(["builtin", "user"] as const)("replaces what the file of a %s agent says", (source) => {
		expect(apply(agent(source, { model: "y/z", thinking: "low" }), CHOICES)).toMatchObject({
			model: "x/a",
			fallbackModels: ["x/b"],
			modelFrom: "subagents.agents.Writer.model",
			thinking: "high",
			tools: { kind: "allow", names: ["read", "bash"] },
			toolsFrom: "subagents.agents.Writer.tools",
		});
	});

	it("keeps what the setting does not speak of", () => {
		const own = agent("user", { model: "y/z", fallbackModels: ["y/w"], thinking: "low" });
		expect(apply(own, { thinking: "off" })).toEqual({ ...own, thinking: "off" });
	});

	it("gives a project's agent of the same name nothing that the user granted to another", () => {
		const stranger = agent("project");
		expect(apply(stranger, CHOICES)).toEqual(stranger);
	});

	it("limits a project's agent all the same", () => {
		expect(apply(agent("project"), { ...CHOICES, maxTurns: 3 })).toEqual(agent("project", { maxTurns: 3 }));
	});

	it("takes the smallest of all limits", () => {
		const limited = agent("user", { maxTurns: 30, maxCost: 0.1 });
		expect(apply(limited, { maxTurns: 20, maxCost: 5 }, { maxTurns: 10, maxCost: 1 })).toMatchObject({
			maxTurns: 10,
			maxCost: 0.1,
		});
		expect(apply(agent("user"), {})).not.toHaveProperty("maxTurns");
	});
});
