import { describe, expect, it } from "vitest";
import { cleanOutsideText } from "../../../../../packages/ground/text/strip-control-sequences.ts";

describe("cleanOutsideText", () => {
	it.each([
		["zero-width spaces", "in\u200bvisible", "invisible"],
		["soft hyphens, which split a word that is searched for", "pass\u00adword", "password"],
		["direction overrides", "a\u202eb\u2066c", "abc"],
		["letters of the invisible alphabet", "a\u{e0041}\u{e0042}b", "ab"],
		["variation selectors between letters", "k\ufe0fe\ufe01y", "key"],
		["escape sequences as a whole", "\u001b[31mred\u001b[0m", "red"],
		["control characters", "a\u0000b\u0007c\u0085d", "abcd"],
	])("takes out %s", (_what, text, cleaned) => {
		expect(cleanOutsideText(text)).toBe(cleaned);
	});

	it("keeps what belongs to a word or an emoji", () => {
		const text = "👩‍💻 ❤️ می‌خواهم\tZoë";
		expect(cleanOutsideText(text)).toBe(text);
	});

	it("ends lines with a line feed", () => {
		expect(cleanOutsideText("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
	});
});
