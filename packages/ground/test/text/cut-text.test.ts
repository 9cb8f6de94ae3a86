import { describe, expect, it } from "vitest";
import { cutBetweenWords, cutText } from "../../text/cut-text.ts";

describe("cutText", () => {
	it("leaves a text that fits as it is", () => {
		expect(cutText("abc", 3)).toBe("abc");
	});

	it("never returns more than asked for, the mark included", () => {
		expect(cutText("abcdef", 4)).toBe("abc…");
		expect(cutText("abcdef", 4, "...")).toBe("a...");
	});

	it("leaves no half of a character", () => {
		expect(cutText("ab😀cd", 4)).toBe("ab…");
		expect(cutText("ab😀cd", 3, () => "")).toBe("ab");
	});

	it("says how much is missing", () => {
		expect(cutText("abcdef", 4, (missing) => ` [${missing} more]`)).toBe("abcd [2 more]");
	});

	it("ends before a word that does not fit", () => {
		expect(cutBetweenWords("key sk-abcdef", 8)).toBe("key …");
	});
});
