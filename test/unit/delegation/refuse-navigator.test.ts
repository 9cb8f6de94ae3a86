import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import { decideModel } from "../../../src/delegation/decide-model.ts";
import { selectModel } from "../../../src/delegation/select-model.ts";

const agent = (name: string) => ({ name, file: `${name}.md`, tools: { kind: "default" } }) as AgentDefinition;
const surroundings = { env: {}, home: "/nowhere", agentDirectory: "/nowhere/.pi/agent", depth: 0 };
const bare = {
	env: {},
	models: {},
	pi: "installed",
	piProviders: [],
	piAddresses: [],
	programs: [],
} as const;
const select = (name: string, callingClient?: string, offline = false) =>
	selectModel(
		decideModel(agent(name), { ...DEFAULT_CONFIG.subagents, offline }, bare).model,
		agent(name),
		"loop",
		{ host: callingClient === undefined ? {} : { callingClient }, surroundings, config: DEFAULT_CONFIG },
	);

describe("where no language model can be used", () => {
	it("the navigator answers for the explorer, and for everybody a person asks", async () => {
		expect(await select("explorer", "claude-code")).toMatchObject({ model: "offline/navigator" });
		expect(await select("reviewer")).toMatchObject({ model: "offline/navigator" });
		expect(await select("reviewer", "claude-code", true)).toMatchObject({ model: "offline/navigator" });
	});

	it("another agent is told what to install instead of a review that is none", async () => {
		await expect(select("reviewer", "claude-code")).rejects.toMatchObject({
			code: "SUBAGENT_FAILED",
			message: expect.stringMatching(/^reviewer was not run: .*Install Claude Code, Codex or pi/),
		});
	});
});
