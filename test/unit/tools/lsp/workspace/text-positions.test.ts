import { describe, expect, it } from "vitest";
import {
	createOffsetOf,
	findWholeWords,
	splitAtLineBreaks,
	toHumanPosition,
	toProtocolPosition,
} from "../../../../../src/tools/lsp/workspace/text-positions.ts";

describe("positions", () => {
	it.each([
		["plain text", "const a = 1", 7, 6],
		["after an emoji of two units", 'const s = "🎉"; x', 16, 16],
		["after wide characters of one unit", "const 幅 = x", 11, 10],
		["at the first column", "x", 1, 0],
		["past the end, meaning the end", "ab", 99, 2],
	])("convert both ways: %s", (_name, line, column, character) => {
		expect(toProtocolPosition({ line: 1, column }, [line])).toEqual({ line: 0, character });
		const back = toHumanPosition({ line: 0, character }, [line]);
		expect(back).toEqual({ line: 1, column: Math.min(column, [...line].length + 1) });
	});

	it("count lines alike for LF, CRLF and CR", () => {
		expect(splitAtLineBreaks("a\nb\r\nc\rd")).toEqual(["a", "b", "c", "d"]);
	});

	it("fall back to units when the text is not known", () => {
		expect(toHumanPosition({ line: 4, character: 7 }, undefined)).toEqual({ line: 5, column: 8 });
	});

	it("find offsets in a text with CRLF and keep inside the line", () => {
		const offsetOf = createOffsetOf("ab\r\ncd");
		expect(offsetOf({ line: 1, character: 1 })).toBe(5);
		expect(offsetOf({ line: 0, character: 50 })).toBe(2);
		expect(offsetOf({ line: 9, character: 0 })).toBe(6);
	});
});

describe("findWholeWords", () => {
	it("takes whole identifiers only, also next to letters outside ASCII", () => {
		const lines = ["area(areas, größearea, $area, area)", "area"];
		expect(findWholeWords(lines, "area", 10)).toEqual([
			{ line: 0, character: 0 },
			{ line: 0, character: 30 },
			{ line: 1, character: 0 },
		]);
	});

	it("stops at the limit", () => {
		expect(findWholeWords(["a a a", "a"], "a", 2)).toHaveLength(2);
	});
});
