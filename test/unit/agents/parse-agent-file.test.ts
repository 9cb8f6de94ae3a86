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

	it("reads models in their order, the thinking level and the limits", () => {
		expect(
			parse("model: x/a, x/b:high, offline\nthinking: low\nmax_turns: 12\nmax_cost: 0.25\n"),
		).toMatchObject({
			model: "x/a",
			fallbackModels: ["x/b:high", "offline"],
			thinking: "low",
			maxTurns: 12,
			maxCost: 0.25,
		});
		expect(parse("model: inherit\n")).not.toHaveProperty("model");
		expect(parse("model: x/a\n")).not.toHaveProperty("fallbackModels");
	});

	it.each([
		["thinking: deep", /^thinking must be one of off, minimal,.*not "deep"$/],
		["max_turns: 0", /^max_turns must be a whole number above 0, not "0"$/],
		["max_turns: 2.5", /^max_turns must/],
		["max_turns: many", /^max_turns must/],
		["max_cost: -1", /^max_cost must be a number of US dollars above 0, not "-1"$/],
		["max_cost: $1", /^max_cost must/],
		["max_cost: 1e400", /^max_cost must/],
	])("refuses a file with %s", (field, reason) => {
		const parsed = parseAgentFile(`---\nname: a\n${field}\n---\nBody\n`, "/x/a.md", "user");
		expect(parsed).toEqual({ ok: false, reason: expect.stringMatching(reason) });
	});

	it.each([
		...["true", "1", "yes", "True", "TRUE", "on"].map((value) => [value, true] as const),
		...["false", "0", "no", "False", "off", ""].map((value) => [value, false] as const),
	])("reads readonly: %s as %s", (value, readonly) => {
		expect(parse(`readonly: ${value}\n`)).toMatchObject({ readonly });
		expect(parse(`readonly: ${value}\n`).doubts).toBeUndefined();
	});

	it("takes the careful choice where a flag says neither yes nor no, and says so", () => {
		expect(parse("readonly: maybe\nbackground: maybe\n")).toMatchObject({
			readonly: true,
			doubts: [
				'readonly must be true or false, not "maybe"; true is assumed',
				'background must be true or false, not "maybe"; false is assumed',
			],
		});
	});

	it.each(["审查员", "api.reviewer", "relecteur-é", "समीक्षक"])("takes the name %s", (name) => {
		expect(parseAgentFile(`---\nname: ${name}\n---\nBody\n`, "/x/a.md", "user")).toMatchObject({
			agent: { name },
		});
	});

	it.each([".hidden", "a b", "a/b", "..", "𠀀".repeat(64)])("refuses the name %s", (name) => {
		expect(parseAgentFile(`---\nname: ${name}\n---\nBody\n`, "/x/a.md", "user")).toMatchObject({
			ok: false,
			reason: expect.stringContaining("may only contain letters and digits of any script"),
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
		const fields = "color: red\nisolation: worktree\nmode: all\n";
		expect(parse(`readonly: false\ntools: read\n${fields}`).doubts).toEqual([
			"the fields color, isolation, mode are not known and are ignored",
		]);
		expect(parse("color: blue\n").doubts).toEqual(["the field color is not known and is ignored"]);
		expect(parse("tools: read\n").doubts).toBeUndefined();
	});

	const SCHEMA = '{"type":"object"}';
	const beside = (path: string) =>
		path === "schema.json"
			? ({ ok: true, text: SCHEMA } as const)
			: ({ ok: false, reason: "cannot be read (ENOENT)" } as const);
	const read = (output: string) =>
		parseAgentFile(`---\nname: a\n${output}\n---\nB\n`, "/x/a.md", "user", beside);

	it.each([`output: ${SCHEMA}`, "output: schema.json", `output: |\n  {\n    "type": "object"\n  }`])(
		"takes the schema of %j",
		(field) => {
			expect(read(field)).toMatchObject({ ok: true, agent: { output: { type: "object" } } });
		},
	);

	it("counts the schema as a part of the content that is trusted", () => {
		const hashes = [SCHEMA, '{"type":"array"}'].map((text) => {
			const parsed = parseAgentFile("---\nname: a\noutput: s.json\n---\nB\n", "/a.md", "user", () => ({
				ok: true,
				text,
			}));
			return parsed.ok ? parsed.agent.contentHash : "";
		});
		expect(new Set(hashes).size).toBe(2);
	});

	it.each([
		["output: none.json", 'output: "none.json" cannot be read (ENOENT)'],
		["output: {nonsense", "output must be a JSON Schema object, or a file with one"],
		[`output: {"description":"${"x".repeat(7000)}"}`, undefined],
	])("refuses %s", (field, reason) => {
		const parsed = read(field);
		expect(parsed.ok ? undefined : parsed.reason).toBe(reason);
	});
});
