import { describe, expect, it } from "vitest";
import { collectEvidence } from "../collect-evidence.ts";

const step = (tool: string, args: Record<string, unknown>, text: string, isError = false) => ({
	tool,
	args,
	text,
	isError,
});

describe("collectEvidence", () => {
	it("takes only the wanted name for a definition that a language server confirms", () => {
		const text =
			"symbols matching parse: 2 in 1 file\nsrc/a.ts (2)\n  3:1  function parse | function parse() {\n  9:1  function parseAll | function parseAll() {";
		const files = collectEvidence([step("lsp", { action: "symbols", query: "parse" }, text)]);
		expect([...(files.get("src/a.ts")?.definitions ?? [])]).toEqual([3]);
		expect(files.get("src/a.ts")?.lines.size).toBe(2);
	});

	it("cuts lines of bundles", () => {
		const text = `definitions of x: 1 in 1 file\na.min.js (1)\n  1:1  ${"x".repeat(100_000)}`;
		const files = collectEvidence([step("lsp", { action: "definition", query: "x" }, text)]);
		expect(files.get("a.min.js")?.lines.get(1)).toHaveLength(520);
	});
});
