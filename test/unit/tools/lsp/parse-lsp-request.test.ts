import { describe, expect, it } from "vitest";
import { buildLspParameters, parseLspRequest } from "../../../../src/tools/lsp/parse-lsp-request.ts";

describe("parseLspRequest", () => {
	it("fills in what was not said", () => {
		expect(parseLspRequest({ action: "definition", query: " area " })).toEqual({
			action: "definition",
			query: "area",
			severity: "all",
			apply: false,
			offset: 0,
			limit: 50,
		});
	});

	it("takes numbers that arrive as text, and empty text as nothing", () => {
		const request = parseLspRequest({
			action: "hover",
			file: "a.ts",
			line: "3",
			column: 4,
			query: "",
			newName: null,
		});
		expect(request).toMatchObject({ file: "a.ts", line: 3, column: 4 });
		expect(request).not.toHaveProperty("query");
	});

	it("keeps a page within its limit", () => {
		expect(parseLspRequest({ action: "symbols", limit: 100_000 }).limit).toBe(200);
	});

	it.each([
		["no object", "definition", /object with an action/],
		["an unknown action", { action: "fly" }, /Unknown action "fly"/],
		["an unknown field", { action: "hover", path: "a" }, /Unknown parameter "path"/],
		["line 0", { action: "hover", line: 0 }, /line is 0/],
		["half a line", { action: "hover", line: 1.5 }, /line is 1.5/],
		["a list as file", { action: "hover", file: ["a"] }, /file must be a string/],
		["a NUL in a path", { action: "hover", file: "a\0b" }, /NUL/],
		["a severity of its own", { action: "diagnostics", severity: "bad" }, /severity is "bad"/],
		["too many files", { action: "workspace-diagnostics", files: Array(65).fill("a") }, /limit is 64/],
		["apply as text", { action: "rename", apply: "yes" }, /apply is "yes"/],
	])("refuses %s and says why", (_name, input, message) => {
		expect(() => parseLspRequest(input)).toThrow(message);
	});
});

describe("buildLspParameters", () => {
	it("shows the parameters of privileged actions only to who may use them", () => {
		const child = buildLspParameters(["definition"])["properties"] as Record<string, unknown>;
		const main = buildLspParameters(["definition", "rename"])["properties"] as Record<string, unknown>;
		expect(Object.keys(child)).not.toContain("newName");
		expect(Object.keys(main)).toEqual(expect.arrayContaining(["newName", "apply", "title"]));
	});
});
