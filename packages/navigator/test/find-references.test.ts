import { describe, expect, it } from "vitest";
import { planReferences, renderReferences } from "../find-references.ts";

const step = (action: string, query: string, text: string, isError = false) => ({
	tool: "lsp",
	args: { action, query },
	text,
	isError,
});
const FOUND =
	"symbols matching parse: 1 in 1 file\nsrc/a.ts (1)\n  3:17  function parse | function parse() {";
const USED = [
	"references of parse: 3 in 2 files",
	"src/a.ts (1)",
	"  3:17  function parse() {",
	"src/b.ts (2)",
	'  1:10  import { parse as read } from "./a";',
	"  9:1  read();",
].join("\n");

describe("planReferences", () => {
	it("asks about a name whose definition the language server has shown", () => {
		expect(planReferences([step("symbols", "parse", FOUND)])).toEqual([
			{ tool: "lsp", args: { action: "references", query: "parse", limit: 30 } },
		]);
	});

	it.each([
		["there is no server", step("symbols", "parse", "LSP_SERVER_NOT_FOUND: typescript", true)],
		["only longer names are known", step("symbols", "pars", FOUND)],
		["nothing is known", step("symbols", "parse", "symbols matching parse: 0 in 0 files")],
	])("asks nothing when %s", (_why, seen) => {
		expect(planReferences([seen])).toEqual([]);
	});
});

describe("renderReferences", () => {
	it("lists uses, also those under another name", () => {
		expect(renderReferences([step("references", "parse", USED)], false)).toBe(
			[
				"**References to `parse`** (language server: 3 in 2 files)",
				"- `src/a.ts:3`: `function parse() {`",
				'- `src/b.ts:1`: `import { parse as read } from "./a";`',
				"- `src/b.ts:9`: `read();`",
			].join("\n"),
		);
	});

	it("says nothing about failures, and takes several symbols of one name for no references", () => {
		const ambiguous = USED.replace("references of parse", "ambiguous parse");
		expect(
			renderReferences(
				[step("references", "parse", ambiguous), step("references", "parse", "LSP_TIMEOUT: too late", true)],
				false,
			),
		).toBe("");
	});
});
