import { describe, expect, it } from "vitest";
import { defined } from "../../json/defined.ts";
import { asCount, asObject, asText, isObject } from "../../json/json-values.ts";
import { parseJson, parseJsonObject } from "../../json/parse-json.ts";

describe("JSON of unknown shape", () => {
	it.each([[[]], [null], ["{}"], [3], [undefined]])("%j is no object", (value) => {
		expect(isObject(value)).toBe(false);
		expect(asObject(value)).toEqual({});
	});

	it("reads what has the right type and counts the rest as absent", () => {
		expect(asObject({ a: 1 })).toEqual({ a: 1 });
		expect([asText("a"), asText(1), asText(null)]).toEqual(["a", "", ""]);
		expect([asCount(3), asCount(-3), asCount("3"), asCount(Number.NaN)]).toEqual([3, 0, 0, 0]);
	});

	it("parses without throwing", () => {
		expect(parseJson("{")).toBeUndefined();
		expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 });
		expect(parseJsonObject("[1]")).toBeUndefined();
		expect(parseJsonObject('{"a":null}')).toEqual({ a: null });
	});

	it("drops fields that are undefined, and only those", () => {
		const given: { a: number; b?: string | undefined; c: null } = { a: 0, b: undefined, c: null };
		expect(Object.keys(defined(given))).toEqual(["a", "c"]);
	});
});
