import { describe, expect, it } from "vitest";
import { parseProviderHits } from "../../../../../src/tools/web/search/parse-provider-hits.ts";

const parse = (answer: unknown, names = {}, proof?: string) =>
	parseProviderHits(JSON.stringify(answer), ["web", "results"], names, proof);
const wrongShape = (words: string) =>
	expect.objectContaining({ code: "PARSE_ERROR", message: expect.stringContaining(words) });

describe("parseProviderHits", () => {
	it("takes the first name that says something, and joins a list of texts", () => {
		const entry = { title: "T", link: "https://e.org/", age: "", page_age: "2026", parts: ["a", 1, "b"] };
		const names = { url: ["link"], publishedAt: ["age", "page_age"], snippet: ["none", "parts"] };
		expect(parse({ web: { results: [entry] } }, names)).toEqual([
			{ title: "T", url: "https://e.org/", snippet: "a … b", source: "", publishedAt: "2026" },
		]);
	});

	it("passes over entries that are no objects and values of other types", () => {
		const hits = parse({ web: { results: [null, "x", { title: 5, url: "https://e.org/" }] } });
		expect(hits).toMatchObject([{ title: "", url: "https://e.org/" }]);
	});

	it("never calls an answer of the wrong shape one without results", () => {
		expect(() => parse({ web: {} })).toThrow(wrongShape("JSON without a list at web.results"));
		expect(() => parse({ web: [] })).toThrow(wrongShape("without a list"));
		expect(() => parse(null)).toThrow(wrongShape("without a list"));
		expect(() => parseProviderHits("<!doctype html><p>no", ["a"], {})).toThrow(wrongShape("an HTML page"));
		expect(() => parseProviderHits("nothing", ["a"], {})).toThrow(wrongShape("not JSON"));
	});

	it("believes a missing list when the rest proves whose answer it is", () => {
		expect(parse({ query: {} }, {}, "query")).toEqual([]);
		expect(() => parse({ error: "x" }, {}, "query")).toThrow(wrongShape("without a list"));
	});
});
