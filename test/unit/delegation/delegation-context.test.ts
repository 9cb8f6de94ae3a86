import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDelegationContext } from "../../../src/delegation/delegation-context.ts";

let directory: string;
beforeEach(() => {
	directory = realpathSync(mkdtempSync(join(tmpdir(), "deputize-context-")));
	mkdirSync(join(directory, "project"));
	mkdirSync(join(directory, "agent"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function trustOf(saved: boolean | undefined, session: boolean | undefined) {
	const cwd = join(directory, "project");
	const agentDirectory = join(directory, "agent");
	if (saved !== undefined)
		writeFileSync(join(agentDirectory, "trust.json"), JSON.stringify({ [cwd]: saved }));
	const context = createDelegationContext({
		cwd,
		env: { HOME: directory, PATH: "/bin", PI_CODING_AGENT_DIR: agentDirectory },
		host: session === undefined ? {} : { projectTrust: session },
	});
	return { child: context.projectTrust, agents: context.trustOptions().projectTrust };
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
});
