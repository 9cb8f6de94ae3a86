import { describe, expect, it } from "vitest";
import { showValue } from "../../json/show-value.ts";

describe("showValue", () => {
	it("quotes what is short", () => {
		expect([{ a: 1 }, "x", undefined, null].map(showValue)).toEqual(['{"a":1}', '"x"', "undefined", "null"]);
	});

	it("tells only the size of what is long, so that no half of a secret is shown", () => {
		expect(showValue("k".repeat(100))).toBe("a value of 102 characters");
	});

	it("has a word for what no JSON can say", () => {
		const circle: { self?: unknown } = {};
		circle.self = circle;
		expect([1n, circle].map(showValue)).toEqual(["1n", "a value of type object"]);
	});
});
