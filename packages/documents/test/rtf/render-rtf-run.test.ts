import { describe, expect, it } from "vitest";
import { joinRuns, renderRtfRun, stripRuns } from "../../rtf/render-rtf-run.ts";

const plain = { fixed: false, bold: false, italic: false, strike: false };

describe("renderRtfRun", () => {
	it.each([
		["plain text", "a < b", {}, "a &lt; b"],
		["a fixed-width font", "x", { fixed: true }, "<code>x</code>"],
		[
			"everything at once",
			"x",
			{ fixed: true, bold: true, italic: true, strike: true },
			"<strong><em><s><code>x</code></s></em></strong>",
		],
		["blanks", "  ", { bold: true }, "  "],
	])("renders %s", (_what, text, format, html) => {
		expect(renderRtfRun(text, { ...plain, ...format })).toBe(html);
	});
});

describe("joinRuns", () => {
	it("joins adjacent runs of the same kind only", () => {
		expect(joinRuns("<em>a</em> <em>b</em><s>c</s>", false)).toBe("<em>a b</em><s>c</s>");
	});

	it("drops bold in headings", () => {
		expect(joinRuns("<strong>a</strong> b", true)).toBe("a b");
	});
});

it("stripRuns leaves links and line breaks alone", () => {
	expect(stripRuns('<strong><a href="x">a</a></strong><br><code>b</code>')).toBe('<a href="x">a</a><br>b');
});
