import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { chooseModel } from "../../../src/delegation/choose-model.ts";
import { selectModel } from "../../../src/delegation/select-model.ts";

const agent = (name: string) => ({ name, file: `${name}.md`, tools: { kind: "default" } }) as AgentDefinition;
const surroundings = { env: {}, home: "/nowhere", agentDirectory: "/nowhere/.pi/agent", depth: 0 };
const select = (name: string, callingClient?: string, offline = false) =>
	selectModel(chooseModel(agent(name), { hasCredentials: false, offline }), agent(name), "loop", {
		host: callingClient === undefined ? {} : { callingClient },
		surroundings,
	});

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
