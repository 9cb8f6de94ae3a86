import { describe, expect, it } from "vitest";
import { buildRtfParagraph } from "../../rtf/build-rtf-paragraph.ts";
import { createRtfGroup } from "../../rtf/rtf-group.ts";
import { createRtfDraft } from "../../rtf/rtf-writing.ts";

const build = (draft: object, group: object = {}, style: object = {}) =>
	buildRtfParagraph(
		{ ...createRtfDraft(), ...draft },
		{ ...createRtfGroup(), ...group },
		{ name: "", ...style },
	);

describe("buildRtfParagraph", () => {
	it.each([
		["its own outline level", { outline: 1 }, { outline: 4, name: "heading 3" }, 2],
		["the outline level of its style", {}, { outline: 4, name: "heading 3" }, 5],
		["the name of its style", {}, { name: "Heading 3" }, 3],
		["a style name beyond the last level", {}, { name: "heading 9" }, 6],
		["an outline level that means body text", { outline: 9 }, { name: "Normal" }, 0],
		["the style for titles", {}, { name: "Title" }, 1],
		["an ordinary style", {}, { name: "Subtitle" }, 0],
	])("takes the heading level from %s", (_what, group, style, heading) => {
		expect(build({ html: "x" }, group, style).heading).toBe(heading);
	});

	it("drops bold from headings", () => {
		expect(build({ html: "<strong>a</strong> <em>b</em>" }, { outline: 0 }).html).toBe("a <em>b</em>");
	});

	it.each([
		["only a fixed-width font", { codeLetters: 3 }, {}, {}, true],
		["a fixed-width font beside another", { codeLetters: 3, proseLetters: 1 }, {}, {}, false],
		["a style for code", { proseLetters: 3 }, {}, { name: "Source Code" }, true],
		["a fixed-width font in a table", { codeLetters: 3 }, { inTable: true }, {}, false],
		["a fixed-width font in a heading", { codeLetters: 3 }, { outline: 0 }, {}, false],
	])("decides whether %s makes code", (_what, draft, group, style, code) => {
		expect(build({ html: "<code>x</code>", ...draft }, group, style)).toMatchObject({
			code,
			html: code ? "x" : "<code>x</code>",
		});
	});

	it("keeps tabs in code and nowhere else", () => {
		expect(build({ html: "a\tb", codeLetters: 2 }).html).toBe("a\tb");
		expect(build({ html: "a\tb", proseLetters: 2 }).html).toBe("a b");
	});

	it.each([
		["a marker that was spelled out", { html: "x", marker: " 2. " }, {}, "2.", "x"],
		["a number at a hanging indent", { html: "3)\tx" }, { firstIndent: -360 }, "3)", "x"],
		["a bullet at a hanging indent", { html: "•\tx" }, { firstIndent: -360 }, "•", "x"],
		["a number without a hanging indent", { html: "3)\tx" }, {}, "", "3) x"],
	])("finds %s", (_what, draft, group, marker, html) => {
		expect(build(draft, group)).toMatchObject({ marker, html });
	});

	it("recognizes quotations by their style and passes the indent on", () => {
		expect(build({ html: "x" }, { leftIndent: 720 }, { name: "Intense Quote" })).toMatchObject({
			quote: true,
			indent: 720,
		});
	});
});
