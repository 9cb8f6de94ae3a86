import { describe, expect, it } from "vitest";
import { ToolError } from "../../../packages/ground/json/tool-error.ts";
import { parseToolInput } from "../../../src/contract/parse-tool-input.ts";
import { toErrorOutcome } from "../../../src/contract/tool-error.ts";

const SCHEMA = {
	type: "object",
	properties: {
		path: { type: "string", minLength: 1 },
		offset: { type: "integer", minimum: 0 },
		limit: { type: "integer", minimum: 1, maximum: 100 },
		ratio: { type: "number" },
		raw: { type: "boolean" },
		kind: { type: "string", enum: ["", "f", "d"] },
		names: { type: "array", items: { type: "string" }, maxItems: 3 },
		either: { type: ["string", "array"], items: { type: "string" } },
	},
	required: ["path"],
} as const;

const parse = (fields: object) => parseToolInput({ path: "a", ...fields }, SCHEMA);

function refusalOf(input: unknown): string {
	try {
		parseToolInput(input, SCHEMA);
	} catch (error) {
		expect(error).toBeInstanceOf(ToolError);
		expect((error as ToolError).code).toBe("INVALID_INPUT");
		return (error as ToolError).message;
	}
	throw new Error("nothing was refused");
}

describe("parseToolInput", () => {
	it.each([
		[{ offset: 5 }, { offset: 5 }],
		[{ offset: "5" }, { offset: 5 }],
		[{ offset: " 5 " }, { offset: 5 }],
		[{ limit: 5000 }, { limit: 100 }],
		[{ limit: "100" }, { limit: 100 }],
		[{ ratio: "0.5" }, { ratio: 0.5 }],
		[{ ratio: -1 }, { ratio: -1 }],
		[{ raw: "true" }, { raw: true }],
		[{ raw: "false" }, { raw: false }],
		[{ raw: true }, { raw: true }],
		[{ raw: null, offset: null, kind: null, names: null }, {}],
		[{ raw: "", offset: "", kind: "", names: "" }, {}],
		[{ offset: undefined }, {}],
		[{ kind: "f" }, { kind: "f" }],
		[{ names: ["a", "b"] }, { names: ["a", "b"] }],
		[{ names: '["a","b"]' }, { names: ["a", "b"] }],
		[{ names: "a" }, { names: ["a"] }],
		[{ names: ["a", null] }, { names: ["a"] }],
		[{ names: [] }, { names: [] }],
		[{ either: "a" }, { either: "a" }],
		[{ either: ["a"] }, { either: ["a"] }],
	])("accepts %j as %j", (given, expected) => {
		expect(parse(given)).toEqual({ path: "a", ...expected });
	});

	it.each([
		[undefined, "The arguments must be one JSON object."],
		[null, "The arguments must be one JSON object."],
		[["a"], "The arguments must be one JSON object."],
		["a", "The arguments must be one JSON object."],
		[{}, "path is missing."],
		[{ path: null }, "path is missing."],
		[{ path: " " }, "path must not be empty."],
		[{ path: 5 }, "path must be a string, not 5."],
		[{ path: "a\0b" }, "path contains a NUL character."],
		[
			{ path: "a", ofset: 5 },
			'Unknown field "ofset". Known: path, offset, limit, ratio, raw, kind, names, either.',
		],
		[{ path: "a", offset: -1 }, "offset must be at least 0, not -1."],
		[{ path: "a", offset: 1.5 }, "offset must be a whole number, not 1.5."],
		[{ path: "a", offset: "five" }, 'offset must be a whole number, not "five".'],
		[{ path: "a", offset: "1e3" }, 'offset must be a whole number, not "1e3".'],
		[{ path: "a", limit: 0 }, "limit must be at least 1, not 0."],
		[{ path: "a", ratio: [1] }, "ratio must be a number, not [1]."],
		[{ path: "a", raw: "yes" }, 'raw must be true or false, not "yes".'],
		[{ path: "a", raw: 1 }, "raw must be true or false, not 1."],
		[{ path: "a", kind: "x" }, 'kind must be one of f, d, not "x".'],
		[{ path: "a", names: [1] }, "every entry of names must be a string, not 1."],
		[{ path: "a", names: 7 }, "names must be a list, not 7."],
		[{ path: "a", names: ["a", "b", "c", "d"] }, "names has 4 entries; the limit is 3 per call."],
	])("refuses %j", (given, message) => {
		expect(refusalOf(given)).toBe(message);
	});

	it("refuses a field named like a property of every object", () => {
		expect(refusalOf(JSON.parse('{"path":"a","__proto__":{"limit":1}}'))).toContain('"__proto__"');
		expect(refusalOf({ path: "a", constructor: 1 })).toContain('"constructor"');
	});

	it("does not quote a long value, which could be a secret", () => {
		expect(refusalOf({ path: "a", offset: "x".repeat(500) })).not.toContain("xxxx");
	});
});

describe("toErrorOutcome", () => {
	it("has the code in the text and in the details", () => {
		expect(toErrorOutcome(new ToolError("NOT_FOUND", "no such file"))).toEqual({
			text: "NOT_FOUND: no such file",
			details: { error: { code: "NOT_FOUND", message: "no such file" } },
			isError: true,
		});
	});
});
