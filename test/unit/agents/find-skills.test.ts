import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSkills, renderSkills } from "../../../src/agents/find-skills.ts";
import type { AgentDefinition, AgentSource } from "../../../src/contract/agent.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const skill = (description: string): string => `---\nname: x\ndescription: ${description}\n---\nDo it.\n`;
const find = (source: AgentSource, skills: readonly string[], projectTrust?: boolean) =>
	findSkills({ name: "a", file: "/a.md", source, skills } as unknown as AgentDefinition, {
		cwd: home.project,
		home: home.home,
		agentDirectory: home.agentDirectory,
		projectTrust,
	});

describe("findSkills", () => {
	it("finds the user's, and the project's where it is trusted", () => {
		home.write(join(home.agentDirectory, "skills/deploy/SKILL.md"), skill("mine"));
		home.write(".pi/skills/deploy/SKILL.md", skill("theirs"));
		home.write(".agents/skills/lint/SKILL.md", skill("lint rules"));
		expect(find("user", ["deploy", "lint"], true)).toMatchObject([
			{ name: "deploy", description: "mine", directory: join(home.agentDirectory, "skills/deploy") },
			{ name: "lint", description: "lint rules" },
		]);
		expect(() => find("user", ["lint"])).toThrow(
			/names the skill "lint" in \/a\.md, and there is no lint\/SKILL\.md/,
		);
	});

	it("shows an agent of the project nothing of the user's", () => {
		home.write(join(home.agentDirectory, "skills/deploy/SKILL.md"), skill("mine"));
		home.write(".pi/skills/other/SKILL.md", skill("theirs"));
		expect(() => find("project", ["deploy"], true)).toThrow(/there is no deploy/);
		symlinkSync(join(home.agentDirectory, "skills/deploy"), join(home.project, ".pi/skills/deploy"));
		expect(() => find("project", ["deploy"], true)).toThrow(/there is no deploy/);
		expect(find("project", ["other"])).toMatchObject([{ name: "other" }]);
	});

	it.each(["../x", ".", "..", "a/b", ""])("refuses the name %j", (name) => {
		home.write(join(home.agentDirectory, "skills/SKILL.md"), skill("d"));
		expect(() => find("user", [name])).toThrow(/names the skill/);
	});
});

describe("renderSkills", () => {
	it("names each with what it is for and where it is", () => {
		expect(renderSkills([])).toBe("");
		const text = renderSkills([{ name: "lint", description: "rules", directory: "/s/lint" }]);
		expect(text).toContain("- lint: rules (/s/lint/SKILL.md)");
	});
});
