import { describe, expect, it } from "vitest";
import { measureHtmlDepth } from "../../html/measure-html-depth.ts";

describe("measureHtmlDepth", () => {
	it.each([
		["<div><div><b>x</b></div></div>", 3],
		["<p>a<p>b<p>c", 0],
		["<ul><li>a<li>b<ul><li>c</ul></ul>", 2],
		["<br><img src=x><hr>", 0],
		["<div/><div/><div/>", 3],
		["<DIV/><span /><a name=x/>", 3],
		["<svg><path/><path/><g><path/></g></svg>", 2],
		["<svg/><svg/><svg/>", 0],
		["<math><mi>x</mi><mspace/><mspace/></math>", 2],
		["<svg><foreignObject><div/><div/><div/></foreignObject></svg>", 5],
		["<title>x</title><div/><div/>", 2],
		["</div></div><div>x", 1],
		["no tags at all < 3", 0],
	])("finds in %s a depth of %i", (html, depth) => {
		expect(measureHtmlDepth(html, 100)).toBe(depth);
	});

	it.each(['<div a="<">', '<div a=">">', "<div a='<!--'>"])(
		"counts %s, whose attribute contains markup",
		(tag) => {
			expect(measureHtmlDepth(tag.repeat(40), 100)).toBe(40);
		},
	);

	it("stops looking when it has seen enough", () => {
		expect(measureHtmlDepth("<div>".repeat(1_000_000), 50)).toBe(51);
	});
});
