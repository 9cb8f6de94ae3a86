import { describe, expect, it } from "vitest";
import { createValidator } from "../../json/create-validator.ts";

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
});
