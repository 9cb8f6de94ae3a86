import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dropAddedNulls } from "../../../../src/loop/structured/drop-added-nulls.ts";
import { extractJson } from "../../../../src/loop/structured/extract-json.ts";
import { normalizeSchema } from "../../../../src/loop/structured/normalize-schema.ts";

const closed = (properties: object, required = Object.keys(properties)) => ({
	type: "object",
	properties,
	required,
	additionalProperties: false,
});

describe("normalizeSchema", () => {
	const conforming = closed({
		name: { type: "string", minLength: 1, description: "x" },
		tags: { type: "array", items: { type: "string" } },
		maybe: { type: ["string", "null"] },
		choice: { anyOf: [{ type: "string" }, closed({ a: { type: "number" } })] },
		self: { $ref: "#" },
	});

	it("gives back a schema that conforms to OpenAI's rules unchanged", () => {
		expect(normalizeSchema(conforming, "openai")).toEqual(conforming);
		expect(JSON.stringify(normalizeSchema(conforming, "openai"))).toBe(JSON.stringify(conforming));
	});

	it("never changes the caller's schema", () => {
		const schema = {
			type: "object",
			properties: {
				a: { type: "string", default: "x" },
				b: { oneOf: [{ type: "string" }, { type: "null" }] },
			},
		};
		const before = JSON.stringify(schema);
		normalizeSchema(schema, "openai");
		normalizeSchema(schema, "anthropic");
		expect(JSON.stringify(schema)).toBe(before);
	});

	it("closes objects and makes optional properties nullable for OpenAI, at every depth", () => {
		const schema = {
			type: "object",
			properties: {
				a: { type: "string" },
				b: { enum: ["x", "y"], description: "d" },
				c: { type: "object", properties: { d: { type: "integer" } } },
				e: { type: "array", items: { type: "object", properties: { f: { $ref: "#/$defs/g" } } } },
			},
			required: ["a"],
			$defs: { g: { type: "object", properties: {} } },
		};
		expect(normalizeSchema(schema, "openai")).toEqual({
			...closed({
				a: { type: "string" },
				b: { anyOf: [{ enum: ["x", "y"] }, { type: "null" }], description: "d" },
				c: { ...closed({ d: { type: ["integer", "null"] } }), type: ["object", "null"] },
				e: {
					type: ["array", "null"],
					items: closed({ f: { anyOf: [{ $ref: "#/$defs/g" }, { type: "null" }] } }),
				},
			}),
			$defs: { g: { type: "object", properties: {}, additionalProperties: false } },
		});
	});

	it("tells Anthropic in words what its grammar does not know", () => {
		const schema = {
			type: "object",
			properties: {
				n: { type: "integer", minimum: 3, description: "Count." },
				s: { type: "string", format: "uuid" },
				l: { type: "array", items: { type: "string" }, minItems: 5 },
			},
		};
		expect(normalizeSchema(schema, "anthropic")).toEqual({
			type: "object",
			additionalProperties: false,
			properties: {
				n: { type: "integer", description: "Count. (minimum: 3)" },
				s: { type: "string", format: "uuid" },
				l: { type: "array", items: { type: "string" }, description: "(minItems: 5)" },
			},
		});
	});

	it.each([
		["an open map", { type: "object", additionalProperties: { type: "string" } }],
		["a conditional", { ...closed({ a: { type: "string" } }), if: {}, else: {} }],
		["a tuple", closed({ a: { type: "array", prefixItems: [{ type: "string" }] } })],
		["anything at all", closed({ a: {} })],
		["several allOf", closed({ a: { allOf: [{ type: "string" }, { minLength: 2 }] } })],
		["a root that is no object", { type: "array", items: { type: "string" } }],
	])("says that it cannot be done: %s", (_name, schema) => {
		expect(normalizeSchema(schema, "openai")).toBeUndefined();
		expect(normalizeSchema(schema, "anthropic")).toBeUndefined();
	});

	it("says so about recursion, which only OpenAI allows", () => {
		expect(normalizeSchema(conforming, "anthropic")).toBeUndefined();
	});

	const transform = fileURLToPath(
		new URL("../../../peers/node_modules/openai/lib/transform.mjs", import.meta.url),
	);
	const hasSdk = existsSync(transform);
	it.skipIf(!hasSdk && process.env["CI"] !== "true")(
		"agrees with the official SDK about what conforms",
		async () => {
			if (!hasSdk) throw new Error("The openai SDK is missing: npm install in test/peers.");
			const { toStrictJsonSchema } = await import(join(transform));
			for (const schema of [
				conforming,
				closed({ a: { type: "string" } }),
				closed({ a: closed({ b: { type: "array", items: { type: "integer" } } }) }),
			]) {
				expect(toStrictJsonSchema(structuredClone(schema))).toEqual(normalizeSchema(schema, "openai"));
			}
		},
	);
});

describe("dropAddedNulls", () => {
	it("removes only nulls that stand for something optional", () => {
		const schema = {
			type: "object",
			properties: {
				a: { type: "string" },
				b: { type: ["string", "null"] },
				c: { type: "array", items: { $ref: "#/$defs/i" } },
				r: { type: "null" },
			},
			required: ["r"],
			$defs: { i: { type: "object", properties: { x: { type: "number" } } } },
		};
		expect(
			dropAddedNulls({ a: null, b: null, c: [{ x: null }, { x: 1, y: null }], r: null }, schema),
		).toEqual({ b: null, c: [{}, { x: 1, y: null }], r: null });
	});
});

describe("extractJson", () => {
	it.each([
		["plain", '{"a":1}', '{"a":1}'],
		["a byte order mark and space", '\ufeff {"a":1}\n', '{"a":1}'],
		["a fence", '```json\n{"a":1}\n```', '{"a":1}'],
		["prose around the largest object", 'see {"x"} or {"a":{"b":"}"}} ok', '{"a":{"b":"}"}}'],
		["a list", "[1,2]", "[1,2]"],
	])("finds it in %s", (_name, answer, expected) => {
		expect(extractJson(answer)?.text).toBe(expected);
	});

	it.each(['{"a":1', '{"a":"Par', "Paris", "", "{a:1}", '```json\n{"a":\n```'])(
		"repairs nothing: %s",
		(answer) => {
			expect(extractJson(answer)).toBeUndefined();
		},
	);
});
