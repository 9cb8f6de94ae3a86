import { describe, expect, it } from "vitest";
import { cutBetweenWords } from "../../../../packages/ground/text/cut-text.ts";
import { describeText, toShortLine } from "../../../../src/loop/providers/provider-errors.ts";

describe("what is quoted of a provider's error", () => {
	it("never ends inside a word, which could be a key", () => {
		expect(cutBetweenWords("bad key abcdef", 11)).toBe("bad key …");
		expect(cutBetweenWords('{"key":"abcdef"}', 11)).toBe('{"key":"…');
		expect(cutBetweenWords("abcdef", 3)).toBe("…");
		expect(cutBetweenWords("bad key", 7)).toBe("bad key");
		expect(toShortLine(`${"word ".repeat(119)}abcdefghijk`)).toBe(`${"word ".repeat(119)}…`);
		expect(describeText(`${"word ".repeat(39)}abcdefghijk`)).toBe(`${"word ".repeat(39)}…`);
	});
});
