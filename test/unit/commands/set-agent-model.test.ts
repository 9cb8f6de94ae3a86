import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandContext } from "../../../src/commands/command-context.ts";
import { type ListedAgent, listAgents } from "../../../src/commands/list-agents.ts";
import { renderReport } from "../../../src/commands/render-report.ts";
import { type AgentChoice, setAgentModel } from "../../../src/commands/set-agent-model.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
let file: string;
beforeEach(() => {
	home = createTestHome({
		".pi/agents/theirs.md": "---\nname: theirs\ndescription: of the project\n---\nLook.\n",
	});
	file = join(home.agentDirectory, "deputize.json");
});
afterEach(() => home.remove());

const context = (env: Record<string, string> = {}, models: readonly string[] = []) =>
	createCommandContext({ cwd: home.project, env: { ...home.env, ...env }, models });
const set = (name: string, choice: AgentChoice, env: Record<string, string> = {}) =>
	setAgentModel(name, choice, context(env));
const written = () => JSON.parse(readFileSync(file, "utf8"));
const listed = (wanted: string): ListedAgent | undefined =>
	(listAgents(context()).data as { agents: readonly ListedAgent[] }).agents.find(
		({ name }) => name === wanted,
	);

describe("setAgentModel", () => {
	it("writes the user's configuration, which every list then shows, and says how to take it back", async () => {
		const report = await set("explorer", { model: "ollama/qwen3:8b", thinking: "high" });
		expect(written()).toEqual({
			subagents: { agents: { explorer: { model: "ollama/qwen3:8b", thinking: "high" } } },
		});
		expect(listed("explorer")).toMatchObject({
			model: "ollama/qwen3:8b",
			thinking: "high",
			modelFrom: "subagents.agents.explorer.model",
			runtime: "loop",
		});
		const text = renderReport(report, { width: 200 }).join("\n");
		expect(text).toContain("ollama/qwen3:8b, thinking high");
		expect(text).toContain("deputize agents set explorer --model default --thinking default");
	});

	it("takes it back and leaves nothing behind, nor touches anything else", async () => {
		home.write(file, '{"web":{"enabled":false},"subagents":{"agents":{"Explorer":{"maxTurns":9}}}}');
		await set("explorer", { model: "ollama/a" });
		expect(written().subagents.agents).toEqual({ Explorer: { maxTurns: 9, model: "ollama/a" } });
		await set("explorer", { thinking: "low" });
		expect(written().subagents.agents.Explorer).toEqual({ maxTurns: 9, model: "ollama/a", thinking: "low" });
		await set("explorer", { model: "default", thinking: "default" });
		expect(written()).toEqual({
			web: { enabled: false },
			subagents: { agents: { Explorer: { maxTurns: 9 } } },
		});
		await set("reviewer", { model: "ollama/a" });
		await set("reviewer", { model: "default" });
		expect(written().subagents.agents).toEqual({ Explorer: { maxTurns: 9 } });
	});

	it.each<[string, string, AgentChoice, Record<string, string>, RegExp]>([
		["an unknown agent", "explorr", { model: "ollama/a" }, {}, /Did you mean explorer/],
		[
			"an agent of the project",
			"theirs",
			{ model: "ollama/a" },
			{},
			/agent of this project.*Set model: in .*theirs\.md/,
		],
		[
			"a service nobody knows",
			"explorer",
			{ model: "nobody/knows-it" },
			{},
			/Nothing was started|not known where/,
		],
		["a model whose key is missing", "explorer", { model: "groq/x" }, {}, /GROQ_API_KEY, which is not set/],
		["an unknown level", "explorer", { thinking: "hgh" }, {}, /Nothing was changed.*Did you mean high/],
		["an empty name", "explorer", { model: " " }, {}, /Nothing was changed.*--model default/],
		[
			"a subagent that would choose for itself",
			"explorer",
			{ model: "ollama/a" },
			{ PI_SUBAGENT_DEPTH: "1" },
			/A subagent cannot choose/,
		],
	])("refuses %s and writes nothing", async (_what, name, choice, env, message) => {
		const before = '{"subagents":{"runtime":"loop"}}';
		home.write(file, before);
		await expect(set(name, choice, env)).rejects.toThrow(message);
		expect(readFileSync(file, "utf8")).toBe(before);
	});

	it("refuses a name that pi does not have, with the near ones", async () => {
		const inPi = createCommandContext({
			cwd: home.project,
			env: home.env,
			models: ["anthropic/claude-opus-4-8", "anthropic/claude-sonnet-4-6"],
			piPackage: "/pi",
		});
		await expect(setAgentModel("explorer", { model: "anthropic/opus-9" }, inPi)).rejects.toThrow(
			/Nothing was changed.*anthropic\/claude-opus-4-8/,
		);
		expect(existsSync(file)).toBe(false);
	});
});
