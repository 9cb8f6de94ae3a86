import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readIfThere } from "../../packages/ground/paths/read-if-there.ts";
import { findSkills } from "../../src/agents/find-skills.ts";
import { readAgentDirectory } from "../../src/agents/read-agent-directory.ts";
import type { AgentDefinition } from "../../src/contract/agent.ts";
import { keepTranscript } from "../../src/runtimes/program/keep-transcript.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

/** A read of it waits for somebody who writes, and nobody does. */
function makePipe(path: string): string {
	mkdirSync(join(path, ".."), { recursive: true });
	execFileSync("mkfifo", [path]);
	return path;
}

describe("a pipe where a file is expected", () => {
	it("is not read", () => {
		expect(readIfThere(makePipe(join(home.project, "pipe")))).toBeUndefined();
		expect(readIfThere("/dev/zero")).toBeUndefined();
	});

	it("stops nobody who lists agents: beside an agent file", () => {
		const directory = join(home.project, ".pi", "agents");
		makePipe(join(directory, "schema.json"));
		home.write(".pi/agents/a.md", "---\nname: a\ndescription: d\noutput: schema.json\n---\nBody\n");
		const { agents, skipped } = readAgentDirectory(directory, "project");
		expect(agents).toEqual([]);
		expect(skipped[0]?.reason).toContain("not a regular file");
	});

	it("is no skill, and neither is a file without end", () => {
		makePipe(join(home.project, ".pi", "skills", "pipe", "SKILL.md"));
		const large = home.write(".pi/skills/large/SKILL.md", "");
		truncateSync(large, 8 * 1024 * 1024 * 1024);
		const places = { ...home, cwd: home.project, projectTrust: true };
		for (const skill of ["pipe", "large"]) {
			const agent = {
				name: "a",
				file: "a.md",
				source: "project",
				skills: [skill],
			} as unknown as AgentDefinition;
			expect(() => findSkills(agent, places)).toThrow("names the skill");
		}
	});
});

describe("a transcript that a program left as a link", () => {
	it.each(["file", "directory"])("does not bring a file of the user's into the session: %s", (kind) => {
		const secret = home.write(join(home.home, ".ssh", "s1.jsonl"), "private\n");
		const own = join(home.project, "program");
		mkdirSync(own);
		if (kind === "file") symlinkSync(secret, join(own, "s1.jsonl"));
		else symlinkSync(join(home.home, ".ssh"), join(own, "projects"));
		const file = join(home.project, "session.jsonl");
		keepTranscript(own, { file, id: "x" }, {
			runtime: "claude",
			cwd: home.project,
			name: "s1",
			spent: {},
		} as unknown as Parameters<typeof keepTranscript>[2]);
		expect(existsSync(file)).toBe(false);
	});

	it("is kept when it is a file", () => {
		const own = join(home.project, "program");
		mkdirSync(own);
		writeFileSync(join(own, "s1.jsonl"), "said\n");
		const file = join(home.project, "session.jsonl");
		keepTranscript(own, { file, id: "x" }, {
			runtime: "claude",
			cwd: home.project,
			name: "s1",
			spent: {},
		} as unknown as Parameters<typeof keepTranscript>[2]);
		expect(readIfThere(file)).toContain("said");
	});
});
