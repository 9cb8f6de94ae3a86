import { describe, expect, it } from "vitest";
import { parsePathList, parseReadText } from "../parse-tool-text.ts";

const step = (tool: string, args: Record<string, unknown>, text: string, isError = false) => ({
	tool,
	args,
	text,
	isError,
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
