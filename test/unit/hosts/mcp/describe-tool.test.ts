import { describe, expect, it } from "vitest";
import { discoverAgents } from "../../../../src/agents/discover-agents.ts";
import { SUBAGENT_DESCRIPTION, SUBAGENT_PARAMETERS } from "../../../../src/contract/subagent-tool.ts";
import { renderPolicy } from "../../../../src/delegation/render-policy.ts";
import { describeOffer, describeTool, renderPrompt } from "../../../../src/hosts/mcp/describe-tool.ts";
import { createTestHome } from "../../../helpers/test-home.ts";

const builtins = discoverAgents({ cwd: "/", home: "/", agentDirectory: "/nowhere" }).agents.filter(
	({ readonly }) => readonly,
);

describe("the tool", () => {
	const tool = describeTool(builtins, false);

	it("has the words of pi's door and costs a model no more than these", () => {
		expect(tool).toMatchObject({
			name: "subagent",
			description: `${SUBAGENT_DESCRIPTION}\n${renderPolicy(builtins)}`,
			inputSchema: SUBAGENT_PARAMETERS,
		});
		const { name, description, inputSchema } = tool;
		// What clients send to a model of it: 1,291 characters, or about 280 tokens.
		expect(JSON.stringify({ name, description, inputSchema }).length).toBeLessThan(1350);
	});

	it("says that it reads, so that clients run it without asking and at the same time", () => {
		expect(tool["annotations"]).toMatchObject({ readOnlyHint: true, destructiveHint: false });
		expect(describeTool(builtins, true)["annotations"]).toMatchObject({ readOnlyHint: false });
		expect(tool["_meta"]).toEqual({ "anthropic/alwaysLoad": true });
	});

	it("fits a prompt for each agent", () => {
		expect(JSON.stringify(renderPrompt("tester", "Plan tests"))).toContain('agent \\"tester\\"');
	});
});

describe("what is offered", () => {
	const offerIn = (config: object, depth = 0) => {
		const home = createTestHome();
		try {
			home.write(`${home.agentDirectory}/deputize.json`, JSON.stringify(config));
			const surroundings = { env: {}, home: home.home, agentDirectory: home.agentDirectory, depth };
			const offer = { cwd: home.project, hasUI: false, agentsDirectories: [], builtinOnly: false };
			return describeOffer({ surroundings, ...offer });
		} finally {
			home.remove();
		}
	};

	it("is one tool, and a prompt for each agent", () => {
		const { tools, prompts } = offerIn({});
		expect(tools).toHaveLength(1);
		expect(prompts.map(({ name }) => name)).toEqual(builtins.map(({ name }) => name));
		expect(prompts[0]).toMatchObject({ arguments: [{ name: "task", required: true }] });
	});

	it("is nothing where delegation is switched off, and in a child", () => {
		expect(offerIn({ subagents: { enabled: false } })).toEqual({ tools: [], prompts: [] });
		expect(offerIn({}, 1)).toEqual({ tools: [], prompts: [] });
	});
});
