import { describe, expect, it } from "vitest";
import { wrapLink } from "../../rtf/apply-rtf-destination.ts";
import { finishRtf } from "../../rtf/read-rtf.ts";
import { createRtfState } from "../../rtf/rtf-state.ts";
import { takeRtfToken } from "../../rtf/take-rtf-token.ts";
import { tokenizeRtf } from "../../rtf/tokenize-rtf.ts";

function take(rtf: string) {
	const state = createRtfState();
	for (const token of tokenizeRtf(rtf)) takeRtfToken(state, token);
	return state;
}

describe("takeRtfToken", () => {
	it.each([
		[
			"switches formatting on",
			"\\b\\i1\\strike\\v",
			{ bold: true, italic: true, strike: true, hidden: true },
		],
		["switches formatting off", "\\b\\b0\\i\\i0", { bold: false, italic: false }],
		["resets characters, not the paragraph", "\\b\\li720\\plain", { bold: false, leftIndent: 720 }],
		[
			"resets the paragraph, not characters",
			"\\b\\li720\\intbl\\pard",
			{ bold: true, leftIndent: 0, inTable: false },
		],
		["never expects a negative number of fallback characters", "\\uc-3", { fallbackLength: 0 }],
		["gives a nested group a copy", "\\i{\\b", { italic: true, bold: true }],
		["undoes what a nested group changed", "\\i{\\b}", { italic: true, bold: false }],
		["skips an unknown starred group", "{\\*\\unknown", { destination: "skip" }],
		["keeps a skipped group skipped", "{\\pict{\\title", { destination: "skip" }],
		["survives more closing braces than opening ones", "\\b}}", { bold: false, destination: "text" }],
	])("%s", (_what, rtf, group) => {
		expect(take(rtf).group).toMatchObject(group);
	});

	it("decodes the bytes of one character together", () => {
		const state = take("\\ansicpg932 \\'93\\'fa");
		expect(state.bytes).toEqual([0x93, 0xfa]);
		takeRtfToken(state, { kind: "text", text: "!" });
		expect(state).toMatchObject({ bytes: [], writing: { draft: { html: "日!" } } });
	});

	it("skips the fallback characters after Unicode, and only inside their group", () => {
		expect(take("\\uc2\\u8364 ab").writing.draft.html).toBe("€");
		expect(take("\\uc2\\u8364 a").skipCharacters).toBe(1);
		expect(take("{\\uc2\\u8364 a}b").writing.draft.html).toBe("€b");
	});

	it("returns from a footnote to the text around it", () => {
		const state = take("a{\\footnote note}b");
		expect(state.notes).toEqual(["<p>note</p>"]);
		expect(finishRtf(state).html).toBe(
			'<p>a<a href="#footnote-1">1</a>b</p><ol><li id="footnote-1"><p>note</p></li></ol>',
		);
	});

	it.each(["constructor", "toString", "valueOf"])("ignores \\%s like every unknown word", (word) => {
		expect(finishRtf(take(`a {\\${word} b}\\par`)).html).toBe("<p>a b</p>");
	});
});

describe("wrapLink", () => {
	it.each([
		["a link", 'HYPERLINK "https://e.org/?a&b"', 'see <a href="https://e.org/?a&amp;b">here</a>'],
		["a link with switches", ' HYPERLINK \\l "top"', 'see <a href="top">here</a>'],
		["another field", "PAGE", "see here"],
		["a link without an address", 'HYPERLINK ""', "see here"],
	])("treats %s correctly", (_what, instruction, html) => {
		expect(wrapLink("see here", 4, instruction)).toBe(html);
	});

	it("makes no link without a visible text", () => {
		expect(wrapLink("see ", 4, 'HYPERLINK "https://e.org/"')).toBe("see ");
	});
});
