import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../src/agents/parse-agent-file.ts";

const parse = (header: string) => {
	const parsed = parseAgentFile(`---\nname: a\n${header}---\nBody\n`, "/x/a.md", "user");
	if (!parsed.ok) throw new Error(parsed.reason);
	return parsed.agent;
};

describe("parseAgentFile", () => {
	it.each([
		["readonly: true\n", true],
		["readonly: 1\n", true],
		["readonly: false\n", false],
		["readonly: 0\n", false],
		["", false],
	])("reads %j as readonly %s", (header, readonly) => {
		expect(parse(header).readonly).toBe(readonly);
	});

	it.each([
		["", { kind: "default" }],
		["tools:\n", { kind: "allow", names: [] }],
		["tools: read, grep\n", { kind: "allow", names: ["read", "grep"] }],
		["approved_tools:\n  - read\n  - bash\n", { kind: "allow", names: ["read", "bash"] }],
		["allowed_tools: ls\n", { kind: "allow", names: ["ls"] }],
		["denied_tools: bash\n", { kind: "deny", names: ["bash"] }],
	])("reads the tool list of %j", (header, rule) => {
		expect(parse(header).tools).toEqual(rule);
	});

	it("takes the body as the prompt and remembers the content by its hash", () => {
		const agent = parse("model: openai/gpt\nruntime: loop\n");
		expect(agent).toMatchObject({ prompt: "Body", model: "openai/gpt", runtime: "loop", file: "/x/a.md" });
		expect(agent.contentHash).toMatch(/^[0-9a-f]{64}$/);
	});

	it.each(["yes", "TRUE", "maybe"])("refuses a file whose readonly is %s instead of guessing", (value) => {
		expect(parseAgentFile(`---\nname: a\nreadonly: ${value}\n---\nBody\n`, "/x/a.md", "user")).toEqual({
			ok: false,
			reason: `readonly must be true or false, not "${value}"`,
		});
	});

	it("ignores fields that mean nothing here", () => {
		expect(parse("temperature: 1\ntags: x\n").name).toBe("a");
	});

	it.each([
		["denied_tool: bash\n", /denied_tool means nothing; did you mean denied_tools/],
		["deniedTools: bash\n", /did you mean denied_tools/],
		["tool: read\n", /did you mean tools/],
		["modle: a/b\n", /did you mean model/],
		["Readonly: true\n", /did you mean readonly/],
	])("points out what %j probably meant", (header, doubt) => {
		expect(parse(header).doubts).toEqual([expect.stringMatching(doubt)]);
	});

	it("names fields of other programs, which do nothing here", () => {
		const fields = "thinking: high\nskills: a, b\nisolation: worktree\nmode: all\n";
		expect(parse(`readonly: false\ntools: read\n${fields}`).doubts).toEqual([
			"the fields thinking, skills, isolation, mode are not known and are ignored",
		]);
		expect(parse("color: blue\n").doubts).toEqual(["the field color is not known and is ignored"]);
		expect(parse("tools: read\n").doubts).toBeUndefined();
	});
});
