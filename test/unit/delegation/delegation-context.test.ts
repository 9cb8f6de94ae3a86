import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { createDelegationContext } from "../../../src/delegation/delegation-context.ts";
import { readTrustOptions } from "../../../src/delegation/read-trust-options.ts";

let directory: string;
beforeEach(() => {
	directory = realpathSync(mkdtempSync(join(tmpdir(), "deputize-context-")));
	mkdirSync(join(directory, "project"));
	mkdirSync(join(directory, "agent"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function trustOf(saved: boolean | undefined, session: boolean | undefined, agentsIn = "project") {
	const cwd = join(directory, "project");
	const agentDirectory = join(directory, "agent");
	if (saved !== undefined)
		writeFileSync(join(agentDirectory, "trust.json"), JSON.stringify({ [cwd]: saved }));
	const context = createDelegationContext({
		cwd,
		env: { HOME: directory, PATH: "/bin", PI_CODING_AGENT_DIR: agentDirectory },
		host: session === undefined ? {} : { projectTrust: session },
	});
	const agent = { file: join(directory, agentsIn, ".pi/agents/a.md") } as AgentDefinition;
	return { child: context.projectTrust, agents: readTrustOptions(agent, context).projectTrust };
}

describe("whether a project is trusted", () => {
	it.each([
		["nobody decided", undefined, undefined, { child: undefined, agents: undefined }],
		["a saved yes", true, undefined, { child: true, agents: true }],
		["a saved no", false, undefined, { child: false, agents: false }],
		["a yes for this session", undefined, true, { child: true, agents: true }],
		["a no for this session", undefined, false, { child: false, agents: undefined }],
		["a saved no and a yes for this session", false, true, { child: false, agents: false }],
		["a saved yes and a no for this session", true, false, { child: true, agents: true }],
	])("%s", (_name, saved, session, expected) => {
		expect(trustOf(saved, session)).toEqual(expected);
	});

	it("says nothing about agents that were found above the project, unless it is a no", () => {
		expect(trustOf(true, undefined, ".").agents).toBeUndefined();
		expect(trustOf(undefined, true, ".").agents).toBeUndefined();
		expect(trustOf(false, undefined, ".").agents).toBe(false);
	});
});
