import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontmatter, toNameList } from "../../../src/agents/parse-frontmatter.ts";

function fields(text: string): Record<string, unknown> {
	const parsed = parseFrontmatter(text);
	if (!parsed.ok) throw new Error(parsed.reason);
	return Object.fromEntries(parsed.fields);
}

describe("parseFrontmatter", () => {
	it("does not take a number sign in a description for a comment", () => {
		expect(fields("---\nname: a # who\ndescription: Issue #12: parser\n---\n")).toEqual({
			name: "a",
			description: "Issue #12: parser",
		});
	});

	it("reads plain values, quoted values and comments", () => {
		expect(fields(`---\nname: scout # who\ndescription: "a: b # c"\nother: 'x'\n---\nBody`)).toEqual({
			name: "scout",
			description: "a: b # c",
			other: "x",
		});
	});

	it("reads a comma list, a dash list and a bracket list as the same names", () => {
		const comma = fields("---\ntools: read, grep , read\n---\n");
		const dashes = fields("---\ntools:\n  - read\n  - grep\n---\n");
		const flush = fields("---\ntools:\n- read\n- grep\n---\n");
		const brackets = fields("---\ntools: [read, 'grep']\n---\n");
		for (const style of [comma, dashes, flush, brackets]) {
			expect(toNameList(style["tools"] as string)).toEqual(["read", "grep"]);
		}
	});

	it("reads block text", () => {
		expect(fields("---\ndescription: >\n  one\n  two\nname: x\n---\n")).toEqual({
			description: "one two",
			name: "x",
		});
	});

	it("keeps the lines, blank lines and indentation of literal block text", () => {
		const block = "Use when:\n  - a test fails\n\n# not a comment\ndone";
		const indented = block.replace(/^(?=.)/gm, "    ");
		expect(fields(`---\ndescription: |\n${indented}\nname: x\n---\n`)).toEqual({
			description: block,
			name: "x",
		});
		expect(fields(`---\ndescription: |-\n${indented}\n\n---\n`)).toEqual({ description: block });
	});

	it("honors an indentation indicator", () => {
		expect(fields("---\ndescription: |2\n    code\n  text\n---\n")).toEqual({ description: "  code\ntext" });
	});

	it("folds lines into paragraphs and leaves deeper lines alone", () => {
		expect(fields("---\ndescription: >-\n  one\n  two\n\n  three\n    code\n  four\n---\n")).toEqual({
			description: "one two\nthree\n  code\nfour",
		});
	});

	it.each([
		['"say \\"hi\\" twice"', 'say "hi" twice'],
		['"a\\tb\\n\\\\ \\u0041"', "a\tb\n\\ A"],
		["'it''s here'", "it's here"],
		["'a \\n b'", "a \\n b"],
		['"quoted" # comment', "quoted"],
		["'quoted'   # comment", "quoted"],
		['"a" and "b"', '"a" and "b"'],
		['"never closed', '"never closed'],
		['"ends in a backslash\\"', '"ends in a backslash\\"'],
		["Use when: x", "Use when: x"],
		["C# and F#", "C# and F#"],
	])("reads %s", (written, meant) => {
		expect(fields(`---\ndescription: ${written}\n---\n`)).toEqual({ description: meant });
	});

	it("keeps a comma inside of quotes in one item", () => {
		expect(fields(`---\ntools: ["a, b", 'it''s', c]\n---\n`)).toEqual({ tools: ["a, b", "it's", "c"] });
		expect(toNameList('"a, b", c')).toEqual(["a, b", "c"]);
		expect(fields('---\ntools:\n  - "a \\"b\\"" # why\n  - c\n---\n')).toEqual({ tools: ['a "b"', "c"] });
	});

	it("keeps an empty value apart from a missing one", () => {
		expect(fields("---\ntools:\nname: x\n---\n")).toEqual({ tools: "", name: "x" });
	});

	it("accepts CRLF and a byte order mark", () => {
		const parsed = parseFrontmatter("\uFEFF---\r\nname: x\r\n---\r\nBody\r\n");
		expect(parsed).toMatchObject({ ok: true, body: "Body" });
	});

	it.each([
		["no frontmatter", "name: x", "first line"],
		["no end", "---\nname: x\n", "closing"],
		["a field given twice", "---\nname: x\nname: y\n---\n", "twice"],
		["a line that is no field", "---\nname: x\n}{\n---\n", "key: value"],
		["an endless header", `---\n${"a: b\n".repeat(5000)}---\n`, "longer"],
	])("says why %s is refused", (_case, text, reason) => {
		const parsed = parseFrontmatter(text);
		expect(parsed.ok).toBe(false);
		expect(parsed.ok ? "" : parsed.reason).toContain(reason);
	});

	it("reads tags, anchors and code as plain text", () => {
		expect(fields("---\nname: !!js/function 'x'\nb: *anchor\n---\n")).toEqual({
			name: "!!js/function 'x'",
			b: "*anchor",
		});
	});

	it("never throws", () => {
		fc.assert(
			fc.property(fc.string(), (text) => typeof parseFrontmatter(`---\n${text}\n---\n`).ok === "boolean"),
		);
	});
});
