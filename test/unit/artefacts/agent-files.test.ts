import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../src/agents/parse-agent-file.ts";

/** Agent files as the documents that this package follows show them, and as people write them from memory. */
const parse = (text: string) => parseAgentFile(text, "/agents/a.md", "user");

const file = (...fields: readonly string[]): string =>
	["---", ...fields, "---", "Do the task.", ""].join("\n");
const RESEARCHER = file(
	"name: docs-researcher",
	"description: Project documentation researcher",
	"readonly: true",
	"tools: web_search, fetch_content, get_search_content, convert_content",
);
const SCOUT = file(
	"name: scout",
	"description: Fast codebase reconnaissance",
	"approved_tools:",
	"- read",
	"- bash",
);
const READ_AND_BASH = { kind: "allow", names: ["read", "bash"] };

describe("an agent file that works as it is", () => {
	it.each<[string, string, object]>([
		["docs-researcher", RESEARCHER, { name: "docs-researcher", readonly: true }],
		["scout", SCOUT, { name: "scout", tools: READ_AND_BASH, prompt: "Do the task." }],
		["line ends of Windows", SCOUT.replaceAll("\n", "\r\n"), { name: "scout", tools: READ_AND_BASH }],
		["a byte order mark", `\uFEFF${SCOUT}`, { name: "scout" }],
		["tabs before the list's dashes", SCOUT.replaceAll("- ", "\t- "), { tools: READ_AND_BASH }],
		["two blanks before the dashes", SCOUT.replaceAll("- ", "  - "), { tools: READ_AND_BASH }],
		[
			"blanks at the ends of lines",
			SCOUT.replace(/(?<!-)$/gm, "  "),
			{ name: "scout", tools: READ_AND_BASH },
		],
		["blanks after the fences", SCOUT.replaceAll("---", "---  "), { name: "scout" }],
		["no line break at its end", SCOUT.trimEnd(), { prompt: "Do the task." }],
		["a list in brackets", file("name: a", "tools: [read, bash]"), { tools: READ_AND_BASH }],
		["a list in quotes", file("name: a", 'tools: "read, bash"'), { tools: READ_AND_BASH }],
		["allowed_tools", file("name: a", "allowed_tools: read, bash"), { tools: READ_AND_BASH }],
		["denied_tools", file("name: a", "denied_tools: write"), { tools: { kind: "deny", names: ["write"] } }],
		["no list", file("name: a"), { tools: { kind: "default" } }],
		["an empty list", file("name: a", "tools:"), { tools: { kind: "allow", names: [] } }],
		["a name in quotes", file('name: "a"'), { name: "a" }],
		["a name in single quotes", file("name: 'a'"), { name: "a" }],
		["a name in Chinese", file("name: 审查员"), { name: "审查员" }],
		["a name with a dot", file("name: api.reviewer"), { name: "api.reviewer" }],
		["a name with capitals", file("name: Explorer"), { name: "Explorer" }],
		[
			"a description with a number sign",
			file("name: a", "description: Issue #12: parser"),
			{ description: "Issue #12: parser" },
		],
		[
			"a description with a label",
			file("name: a", "description: Fixes bugs labelled #urgent"),
			{ description: "Fixes bugs labelled #urgent" },
		],
		[
			"a description with colons",
			file("name: a", "description: Reads: all of it"),
			{ description: "Reads: all of it" },
		],
		[
			"a description in a block",
			file("name: a", "description: |", "  Reads", "  all"),
			{ description: "Reads all" },
		],
		["no description", file("name: a"), { description: "" }],
		["readonly: 1", file("name: a", "readonly: 1"), { readonly: true }],
		["readonly: yes", file("name: a", "readonly: yes"), { readonly: true }],
		["readonly: True", file("name: a", "readonly: True"), { readonly: true }],
		["readonly: on", file("name: a", "readonly: on"), { readonly: true }],
		["readonly: False", file("name: a", "readonly: False"), { readonly: false }],
		["readonly: no", file("name: a", "readonly: no"), { readonly: false }],
		["readonly: off", file("name: a", "readonly: off"), { readonly: false }],
		["a model that is a part of a name", file("name: a", "model: fake-cl"), { model: "fake-cl" }],
		["a model of others", file("name: a", "model: sonnet"), { model: "sonnet" }],
		["a model with capitals", file("name: a", "model: Fake-Claude"), { model: "Fake-Claude" }],
		[
			"fields of other programs",
			file("name: a", "color: blue", "output: ", "version: 2", "author: me"),
			{ name: "a" },
		],
		["no body", "---\nname: a\n---\n", { prompt: "" }],
		["a line in the body", `${file("name: a")}\n---\nmore`, { prompt: "Do the task.\n\n---\nmore" }],
		["a comment", file("# of mine", "name: a"), { name: "a" }],
	])("%s", (_name, text, expected) => {
		expect(parse(text)).toMatchObject({ ok: true, agent: expected });
	});

	it("readonly with another word is readonly, and says so", () => {
		const parsed = parse(file("name: a", "readonly: maybe"));
		expect(parsed).toMatchObject({ ok: true, agent: { readonly: true } });
		expect(parsed.ok && parsed.agent.doubts?.join()).toContain('readonly must be true or false, not "maybe"');
	});
});

describe("an agent file that is refused by name", () => {
	it.each([
		["a name with a blank", file("name: Code Reviewer"), 'the name "Code Reviewer" may only contain'],
		["no closing line", "---\nname: a\nDo it.", "the frontmatter has no closing ---"],
		["a line before the first", `\n${SCOUT}`, "the first line must be ---"],
		["two allow lists", file("name: a", "tools: read", "approved_tools: bash"), "approved_tools"],
		["both kinds of lists", file("name: a", "tools: read", "denied_tools: bash"), "denied_tools"],
	])("%s", (_name, text, reason) => {
		expect(parse(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
	});
});
