import { describe, expect, it } from "vitest";
import { matchesQuery, parseSymbolQuery } from "../../../../../src/tools/lsp/actions/parse-symbol-query.ts";

describe("parseSymbolQuery", () => {
	it.each([
		["area", { name: "area", container: [] }],
		["area()", { name: "area", container: [] }],
		["`area`", { name: "area", container: [] }],
		["Circle.double", { name: "double", container: ["Circle"] }],
		["ns::Circle::double(int)", { name: "double", container: ["ns", "Circle"] }],
		["Circle#double", { name: "double", container: ["Circle"] }],
		["area#2", { name: "area", container: [], ordinal: 2 }],
		["Circle.double#3", { name: "double", container: ["Circle"], ordinal: 3 }],
	])("reads %s", (query, expected) => {
		expect(parseSymbolQuery(query)).toEqual(expected);
	});
});

describe("matchesQuery", () => {
	it("compares names exactly and containers from the inside out", () => {
		const query = parseSymbolQuery("Circle.double");
		expect(matchesQuery(query, "double", ["shapes", "Circle"])).toBe(true);
		expect(matchesQuery(query, "double", ["Square"])).toBe(false);
		expect(matchesQuery(query, "Double", ["Circle"])).toBe(false);
	});

	it("understands names that servers qualify or add brackets to", () => {
		expect(matchesQuery(parseSymbolQuery("Take"), "(*Ring).Take", [])).toBe(true);
		expect(matchesQuery(parseSymbolQuery("Circle.double"), "Circle::double", [])).toBe(true);
		expect(matchesQuery(parseSymbolQuery("run"), "run()", [])).toBe(true);
	});
});
