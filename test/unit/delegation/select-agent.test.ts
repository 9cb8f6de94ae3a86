import { describe, expect, it } from "vitest";
import type { AgentDefinition, DiscoveredAgents } from "../../../src/contract/agent.ts";
import { DEFAULT_CONFIG, type SubagentsConfig } from "../../../src/contract/config.ts";
import { selectAgent } from "../../../src/delegation/select-agent.ts";

const agent = (name: string): AgentDefinition =>
	({ name, description: name, source: "user", file: `/agents/${name}.md` }) as AgentDefinition;
const discovered = (names: readonly string[]): DiscoveredAgents => ({
	agents: names.map(agent),
	directories: [],
	skipped: [
		{ file: "/agents/Broken.MD", source: "user", reason: "it has no description" },
		{ file: "/agents/other.md", source: "user", reason: "it is empty" },
	],
});
const select = (
	name: string,
	config: Partial<SubagentsConfig> = {},
	names = ["explorer", "Explorer", "reviewer"],
) => selectAgent(name, discovered(names), { ...DEFAULT_CONFIG.subagents, ...config }).name;

describe("the agent of a name", () => {
	it.each([
		["explorer", "explorer"],
		["Explorer", "Explorer"],
		["REVIEWER", "reviewer"],
	])("%s is %s: by its spelling, else whatever its case", (name, found) => {
		expect(select(name)).toBe(found);
	});

	it.each([
		[
			"near",
			"explorrer",
			"Unknown agent: explorrer. Did you mean explorer? Available agents: explorer, Explorer, reviewer",
		],
		["none like it", "zzzzzz", "Unknown agent: zzzzzz. Available agents: explorer, Explorer, reviewer"],
		[
			"a file that was skipped",
			"broken",
			"Unknown agent: broken. The file Broken.MD was skipped: it has no description (/agents/Broken.MD). Available agents: explorer, Explorer, reviewer",
		],
	])("is refused with what there is: %s", (_name, name, message) => {
		expect(() => select(name)).toThrow(expect.objectContaining({ code: "UNKNOWN_AGENT", message }));
	});

	it("is refused where there are none", () => {
		expect(() => select("x", {}, [])).toThrow("Unknown agent: x. Available agents: none");
	});

	it("is refused when it is switched off, by the key that does it", () => {
		expect(() => select("reviewer", { disabledAgents: ["Reviewer"] })).toThrow(
			expect.objectContaining({
				code: "SUBAGENT_DISABLED",
				message: "The agent reviewer is switched off by subagents.disabledAgents in deputize.json.",
			}),
		);
	});
});
