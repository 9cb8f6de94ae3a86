import { describe, expect, it } from "vitest";
import { createValidator } from "../../json/create-validator.ts";
import { createComputingClock } from "../../waiting/create-computing-clock.ts";

describe("createValidator", () => {
	it("says where and what", async () => {
		const validate = await createValidator({
			type: "object",
			properties: { name: { type: "string", minLength: 2 }, age: { type: "integer" } },
			required: ["name", "age"],
			additionalProperties: false,
		});
		expect(validate({ name: "Zoë", age: 3 })).toBeUndefined();
		expect(validate({ name: "Z", age: "x" })).toMatch(/\/name/);
		expect(validate({ name: "Zoë", age: 1.5 })).toMatch(/\/age/);
		expect(validate({ name: "Zoë", age: 1, extra: true })).toMatch(/extra/);
	});

	it("follows the draft the schema names", async () => {
		const tuple = { type: "array", items: [{ type: "string" }], additionalItems: false };
		const old = await createValidator({ $schema: "http://json-schema.org/draft-07/schema#", ...tuple });
		expect(old(["a"])).toBeUndefined();
		expect(old(["a", "b"])).toBeDefined();
	});

	it("refuses a schema with a reference to nothing", async () => {
		await expect(createValidator({ $ref: "#/$defs/none" })).rejects.toThrow("refers to nothing");
	});

	describe("with values that compute for ever", { timeout: 120_000 }, () => {
		const pattern = "^([A-Za-z]+ ?)*$";
		const value = `${"a".repeat(42)}!`;
		const doubling = (): Record<string, object> => {
			const definitions: Record<string, object> = { d40: {} };
			for (let level = 0; level < 40; level++) {
				const below = () => ({ $ref: `#/$defs/d${level + 1}` });
				definitions[`d${level}`] = { allOf: [below(), below()] };
			}
			return definitions;
		};

		it.each([
			["pattern", { type: "string", pattern }, value],
			["patternProperties", { patternProperties: { [pattern]: { type: "number" } } }, { [value]: 1 }],
			["propertyNames", { propertyNames: { pattern } }, { [value]: 1 }],
			["references that double", { properties: { a: { $ref: "#/$defs/d0" } }, $defs: doubling() }, { a: 1 }],
			[
				"uniqueItems",
				{ type: "array", uniqueItems: true },
				Array.from({ length: 60_000 }, (_, index) => ({ a: { b: index } })),
			],
		])("%s: says so in time, and takes it three times only", async (_name, schema, hostile) => {
			const validate = await createValidator(schema);
			const readTime = createComputingClock();
			for (let call = 0; call < 20; call++)
				expect(validate(hostile)).toMatch(/not checked .* within 1000 ms/);
			expect(readTime()).toBeLessThan(8000);
		});

		it("accepts a better value after it", async () => {
			const validate = await createValidator({ type: "string", pattern });
			expect(validate(value)).toMatch("not checked");
			expect(validate("a title")).toBeUndefined();
		});

		it("does not throw when the value is nested as deeply as the schema allows", async () => {
			const validate = await createValidator({ properties: { a: { $ref: "#" } } });
			const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
			expect(validate(deep)).toMatch("cannot be checked against the schema: Maximum call stack");
		});

		it("refuses a schema that takes for ever itself", async () => {
			const schema = { allOf: [{ $ref: "#/$defs/d0" }], $defs: doubling() };
			await expect(createValidator(schema)).rejects.toThrow("not checked against it within 1000 ms");
		});
	});
});
