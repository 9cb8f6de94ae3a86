import { describe, expect, it } from "vitest";
import { parseWebSources } from "../../../src/navigator/parse-web-text.ts";

describe("parseWebSources", () => {
	it("reads Markdown links", () => {
		expect(parseWebSources("1. [The guide](https://a.example/guide) about it")).toEqual([
			{ url: "https://a.example/guide", title: "The guide" },
		]);
	});

	it("takes the line above an address for its title", () => {
		expect(parseWebSources("1. The guide\n   https://a.example/guide\n   A snippet.")).toEqual([
			{ url: "https://a.example/guide", title: "The guide" },
		]);
	});

	it("takes what stands before an address for its title", () => {
		expect(parseWebSources("- The guide: file:///docs/a.md")).toEqual([
			{ url: "file:///docs/a.md", title: "The guide" },
		]);
	});

	it("names every address once, in order, without the punctuation after it", () => {
		const urls = parseWebSources("See https://b.example/x. And https://a.example\nhttps://b.example/x").map(
			({ url }) => url,
		);
		expect(urls).toEqual(["https://b.example/x"]);
	});

	it("finds nothing in text without addresses", () => {
		expect(parseWebSources("no results\n")).toEqual([]);
	});
});
