import { describe, expect, it } from "vitest";
import { parseSymbolText } from "../parse-symbol-text.ts";

const step = (text: string, isError = false) => ({ tool: "lsp", args: { action: "symbols" }, text, isError });

describe("parseSymbolText", () => {
	it.each([
		["src/a/b.ts:12:3 function parse", "src/a/b.ts", 12],
		["- function `parse` at `src/a/b.ts:12`", "src/a/b.ts", 12],
		["parse (function) ./src/b.ts:7", "src/b.ts", 7],
	])("finds the place in %j", (text, path, line) => {
		expect(parseSymbolText(step(text))).toEqual([{ path, line, text: "", name: "" }]);
	});

	it("reads the places that the tool groups by file, with names and source lines", () => {
		const text = [
			"symbols matching parse: 3 in 2 files",
			"src/wire/parse-sse.ts (2)",
			"  12:17  function parseSse | export function parseSse(text: string) {",
			"      | return text.split(other.ts:9);",
			"  40:3  method Reader.parse | parse(): void {",
			"test/a b.ts (1)",
			"  7:1  parse();",
		].join("\n");
		expect(parseSymbolText(step(text))).toEqual([
			{
				path: "src/wire/parse-sse.ts",
				line: 12,
				text: "export function parseSse(text: string) {",
				name: "parseSse",
			},
			{ path: "src/wire/parse-sse.ts", line: 40, text: "parse(): void {", name: "Reader.parse" },
			{ path: "test/a b.ts", line: 7, text: "parse();", name: "" },
		]);
	});

	it("takes nothing from errors or from text without places", () => {
		expect(parseSymbolText(step("LSP_SERVER_NOT_FOUND: src/a.ts:1", true))).toEqual([]);
		expect(parseSymbolText(step("incomplete: the server is still indexing (12:30)"))).toEqual([]);
	});
});
