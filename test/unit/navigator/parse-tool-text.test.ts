import { describe, expect, it } from "vitest";
import { parseGrepText, parsePathList, parseReadText } from "../../../src/navigator/parse-tool-text.ts";

const step = (tool: string, args: Record<string, unknown>, text: string, isError = false) => ({
	tool,
	args,
	text,
	isError,
});

describe("parseGrepText", () => {
	it("reads path, line and text, also when the text looks like another hit", () => {
		const { hits, cut } = parseGrepText(
			step("grep", { pattern: "x" }, "src/a.ts:12: const x = 'b.ts:3: y';\nb.md:1: x"),
		);
		expect(hits).toEqual([
			{ path: "src/a.ts", line: 12, text: "const x = 'b.ts:3: y';" },
			{ path: "b.md", line: 1, text: "x" },
		]);
		expect(cut).toBe(false);
	});

	it("gives a single searched file its whole path back", () => {
		const { hits } = parseGrepText(
			step("grep", { pattern: "x", path: "src/deep/Makefile" }, "Makefile:3: x"),
		);
		expect(hits[0]?.path).toBe("src/deep/Makefile");
	});

	it("puts the searched directory before its results", () => {
		const { hits } = parseGrepText(step("grep", { pattern: "x", path: "./src/" }, "a/b.ts:3: x"));
		expect(hits[0]?.path).toBe("src/a/b.ts");
	});

	it.each([
		"a.ts:1: x\n\n[100 matches limit reached. Use limit=200 for more, or refine pattern]",
		"a.ts:1: x\n\n[50.0KB limit reached. Some lines truncated to 500 chars. Use read tool to see full lines]",
	])("notices that there were more matches", (text) => {
		const { hits, cut } = parseGrepText(step("grep", { pattern: "x" }, text));
		expect(hits).toHaveLength(1);
		expect(cut).toBe(true);
	});

	it("does not take long lines for missing matches", () => {
		const text = "a.ts:1: x\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]";
		expect(parseGrepText(step("grep", { pattern: "x" }, text)).cut).toBe(false);
	});

	it("finds nothing in an empty answer or an error", () => {
		expect(parseGrepText(step("grep", {}, "No matches found")).hits).toEqual([]);
		expect(parseGrepText(step("grep", {}, "src/a.ts:1: regex parse error", true)).hits).toEqual([]);
	});
});

describe("parsePathList", () => {
	it("tells files from directories and drops the notice", () => {
		const text = "src/\nREADME.md\n./x.ts\n\n[500 entries limit reached. Use limit=1000 for more]";
		expect(parsePathList(step("ls", {}, text))).toEqual({
			files: ["README.md", "x.ts"],
			directories: ["src"],
			cut: true,
		});
	});

	it("gives paths relative to the working directory", () => {
		expect(parsePathList(step("ls", { path: "src" }, "a.ts\nb/")).files).toEqual(["src/a.ts"]);
	});

	it.each(["No files found matching pattern", "(empty directory)"])("reads %j as nothing", (text) => {
		expect(parsePathList(step("find", {}, text))).toEqual({ files: [], directories: [], cut: false });
	});
});

describe("parseReadText", () => {
	it("numbers the lines from the offset and drops the notice", () => {
		const text = "one\r\ntwo\n\n[10 more lines in file. Use offset=7 to continue.]";
		expect(parseReadText(step("read", { path: "./a.ts", offset: 5, limit: 2 }, text))).toEqual({
			path: "a.ts",
			lines: [
				{ line: 5, text: "one" },
				{ line: 6, text: "two" },
			],
		});
	});

	it("has no lines after an error", () => {
		expect(parseReadText(step("read", { path: "a.ts" }, "ENOENT", true)).lines).toEqual([]);
	});
});
