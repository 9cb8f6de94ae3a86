import { describe, expect, it } from "vitest";
import { parseSymbolText } from "../../../src/navigator/parse-symbol-text.ts";

const step = (text: string, isError = false) => ({ tool: "lsp", args: { action: "symbols" }, text, isError });

describe("parseSymbolText", () => {
	it.each([
		["src/a/b.ts:12:3 function parse", "src/a/b.ts", 12],
		["- function `parse` at `src/a/b.ts:12`", "src/a/b.ts", 12],
		["parse (function) ./src/b.ts:7", "src/b.ts", 7],
	])("finds the place in %j", (text, path, line) => {
		expect(parseSymbolText(step(text))).toEqual([{ path, line, text: "" }]);
	});

	it("takes nothing from errors or from text without places", () => {
		expect(parseSymbolText(step("LSP_SERVER_NOT_FOUND: src/a.ts:1", true))).toEqual([]);
		expect(parseSymbolText(step("incomplete: the server is still indexing (12:30)"))).toEqual([]);
	});
});
