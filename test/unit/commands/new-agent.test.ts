import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverAgents } from "../../../src/agents/discover-agents.ts";
import { type CommandContext, createCommandContext } from "../../../src/commands/command-context.ts";
import { checkAgentName, type NewAgent, writeNewAgent } from "../../../src/commands/new-agent.ts";

let root: string;
let project: string;
let context: CommandContext;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "deputize-new-agent-"));
	project = join(root, "project");
	mkdirSync(project);
	context = createCommandContext({
		cwd: project,
		env: { HOME: root, PI_CODING_AGENT_DIR: join(root, ".pi", "agent") },
	});
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const agent: NewAgent = {
	name: "api-reviewer",
	description: 'Review "public" API: changes\n# and more',
	tools: "read",
	place: "user",
};

describe("a new agent", () => {
	it("is not written through a link of the project", () => {
		const elsewhere = join(root, "elsewhere");
		mkdirSync(elsewhere);
		mkdirSync(join(project, ".pi"));
		symlinkSync(elsewhere, join(project, ".pi", "agents"));
		expect(() => writeNewAgent({ ...agent, place: "project" }, context)).toThrow(
			`is a link and leads to ${elsewhere}`,
		);
		expect(readdirSync(elsewhere)).toEqual([]);
	});

	it("is a file that works at once and says what it was asked to be", () => {
		const { data } = writeNewAgent(agent, context);
		const { agents, skipped } = discoverAgents({
			cwd: project,
			home: root,
			agentDirectory: context.surroundings.agentDirectory,
		});
		const found = agents.find(({ name }) => name === "api-reviewer");
		expect(skipped).toEqual([]);
		expect(found).toMatchObject({
			description: 'Review "public" API: changes # and more',
			readonly: true,
			source: "user",
			tools: { kind: "allow", names: ["read", "grep", "find", "ls", "search_code", "lsp"] },
		});
		expect(found?.doubts ?? []).toEqual([]);
		expect(data).toEqual({ name: "api-reviewer", file: found?.file });
	});

	it("can be without tools, and belong to the project", () => {
		writeNewAgent({ ...agent, tools: "none", place: "project" }, context);
		expect(readFileSync(join(project, ".pi", "agents", "api-reviewer.md"), "utf8")).toContain("\ntools: \n");
		expect(discoverAgents({ cwd: project, home: root, agentDirectory: "/none" }).agents).toContainEqual(
			expect.objectContaining({ name: "api-reviewer", tools: { kind: "allow", names: [] } }),
		);
	});

	it.each([
		["../evil", /letters and digits/],
		["Explorer", /There is an agent explorer already/],
		["", /letters and digits/],
	])("is not called %j", (name, problem) => {
		expect(checkAgentName(name, context)).toMatch(problem);
		expect(() => writeNewAgent({ ...agent, name }, context)).toThrow(problem);
	});

	it("never replaces a file", () => {
		writeNewAgent(agent, context);
		expect(() => writeNewAgent(agent, context)).toThrow(/already/);
	});
});
