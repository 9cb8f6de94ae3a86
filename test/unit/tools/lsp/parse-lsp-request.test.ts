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

	it("takes a flag that arrives as text, as every tool does, and no files as all files", () => {
		expect(parseLspRequest({ action: "rename", apply: "true" }).apply).toBe(true);
		expect(parseLspRequest({ action: "workspace-diagnostics", files: [] })).not.toHaveProperty("files");
		expect(parseLspRequest({ action: "hover", query: "  ", severity: null })).toMatchObject({
			severity: "all",
		});
		expect(parseLspRequest({ action: "hover", query: "  " })).not.toHaveProperty("query");
	});

	it.each([
		["no object", "definition", /one JSON object/],
		["no action", {}, /action is missing/],
		["an unknown action", { action: "fly" }, /action must be one of definition, .*restart, not "fly"/],
		["an unknown field", { action: "hover", path: "a" }, /Unknown field "path". Known: action, file/],
		["line 0", { action: "hover", line: 0 }, /line must be at least 1, not 0/],
		["half a line", { action: "hover", line: 1.5 }, /line must be a whole number, not 1.5/],
		["a negative offset", { action: "hover", offset: -1 }, /offset must be at least 0/],
		["a list as file", { action: "hover", file: ["a"] }, /file must be a string/],
		["a NUL in a path", { action: "hover", file: "a\0b" }, /NUL/],
		["an endless path", { action: "hover", file: "a".repeat(4_097) }, /4097 characters; the limit is 4096/],
		["an endless query", { action: "hover", query: "a".repeat(301) }, /limit is 300/],
		["an unknown severity", { action: "diagnostics", severity: "bad" }, /severity must be one of all, error/],
		["too many files", { action: "workspace-diagnostics", files: Array(65).fill("a") }, /limit is 64/],
		["an empty path among files", { action: "workspace-diagnostics", files: [""] }, /must not be empty/],
		["a word as apply", { action: "rename", apply: "yes" }, /apply must be true or false, not "yes"/],
	])("refuses %s and says why", (_name, input, message) => {
		expect(() => parseLspRequest(input)).toThrow(message);
		expect(() => parseLspRequest(input)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
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
