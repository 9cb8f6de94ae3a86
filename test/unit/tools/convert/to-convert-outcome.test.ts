import { describe, expect, it } from "vitest";
import { toConvertOutcome } from "../../../../src/tools/convert/to-convert-outcome.ts";

const show = (markdown: string, offset: number, maxContentChars: number) =>
	toConvertOutcome(
		{ markdown, truncated: false, metadata: { format: "text" }, provider: "builtin", fileSize: 1 },
		{ source: "a.txt", offset, maxContentChars, durationMs: 1 },
	);

describe("toConvertOutcome", () => {
	it("never shows more characters than were asked for, also when a line ends just there", () => {
		expect(show("12345678\nabcdefgh", 0, 8).details).toMatchObject({ content: "12345678", nextOffset: 8 });
	});

	it("ends a page with the last line that ends in its second half", () => {
		expect(show("1234567\nabcdefgh", 0, 12).details).toMatchObject({ content: "1234567\n", nextOffset: 8 });
		expect(show("1\n23456789abcdef", 0, 12).details).toMatchObject({ nextOffset: 12 });
	});

	it("goes over a limit that is smaller than one character instead of making no progress", () => {
		expect(show("😀b", 0, 1).details).toMatchObject({ content: "😀", nextOffset: 2 });
	});

	it("has no next offset at the end", () => {
		const { text, details } = show("abc", 1, 10);
		expect(details).toMatchObject({ content: "bc", truncated: false, totalChars: 3 });
		expect(details).not.toHaveProperty("nextOffset");
		expect(text).not.toContain("call again");
	});
});
