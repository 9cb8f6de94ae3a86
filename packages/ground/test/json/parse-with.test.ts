import { describe, expect, it } from "vitest";
import { isText } from "../../json/json-values.ts";
import { ifGiven, isOneOf, parseWith } from "../../json/parse-with.ts";

interface Shape {
	readonly name: string;
	readonly kind: "a" | "b";
	readonly size?: number;
}
const parse = (value: unknown): Shape | undefined =>
	parseWith<Shape>(value, { name: isText, kind: isOneOf("a", "b"), size: ifGiven(Number.isFinite) });

describe("an object from outside", () => {
	it.each([
		{ name: "n", kind: "a" },
		{ name: "", kind: "b", size: 1 },
		{ name: "n", kind: "a", size: undefined, more: [] },
	])("%j is taken as it is", (value) => {
		expect(parse(value)).toBe(value);
	});

	it.each([
		[undefined],
		[null],
		["text"],
		[[]],
		[{ name: "n" }],
		[{ name: 1, kind: "a" }],
		[{ name: "n", kind: "c" }],
		[{ name: "n", kind: "a", size: "1" }],
		[{ name: "n", kind: "a", size: null }],
	])("%j is refused", (value) => {
		expect(parse(value)).toBeUndefined();
	});
});
