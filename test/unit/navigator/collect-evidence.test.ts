import { describe, expect, it } from "vitest";
import { collectEvidence } from "../../../src/navigator/collect-evidence.ts";

const step = (tool: string, args: Record<string, unknown>, text: string, isError = false) => ({
	tool,
	args,
	text,
	isError,
});

describe("collectEvidence", () => {
	it("puts lines of several tools together by file", () => {
		const { files } = collectEvidence([
			step("grep", { pattern: "a" }, "src/a.ts:2: two\nsrc/b.ts:1: one"),
			step("grep", { pattern: "b", path: "src/a.ts" }, "a.ts:5: five"),
			step("read", { path: "src/a.ts", offset: 2, limit: 2 }, "two\nthree"),
		]);
		expect([...(files.get("src/a.ts")?.lines ?? [])]).toEqual([
			[2, "two"],
			[5, "five"],
			[3, "three"],
		]);
		expect(files.get("src/b.ts")?.lines.get(1)).toBe("one");
	});

	it("takes only the wanted name for a definition that a language server confirms", () => {
		const text =
			"symbols matching parse: 2 in 1 file\nsrc/a.ts (2)\n  3:1  function parse | function parse() {\n  9:1  function parseAll | function parseAll() {";
		const { files } = collectEvidence([step("lsp", { action: "symbols", query: "parse" }, text)]);
		expect([...(files.get("src/a.ts")?.definitions ?? [])]).toEqual([3]);
		expect(files.get("src/a.ts")?.lines.size).toBe(2);
	});

	it("knows how large the tree is at least, and what failed", () => {
		const evidence = collectEvidence([
			step("find", { pattern: "*" }, Array.from({ length: 100 }, (_, i) => `f${i}.ts`).join("\n")),
			step("ls", {}, "Path not found: x\nmore", true),
		]);
		expect(evidence.treeSize).toBe(100);
		expect(evidence.errors).toEqual(["ls: Path not found: x"]);
	});

	it("cuts lines of bundles", () => {
		const { files } = collectEvidence([step("read", { path: "a.min.js" }, "x".repeat(100_000))]);
		expect(files.get("a.min.js")?.lines.get(1)?.length).toBeLessThan(1000);
	});
});
