import { describe, expect, it } from "vitest";
import { cutToCells, measureCells } from "../../text/measure-cells.ts";

describe("cells of a terminal", () => {
	it.each([
		["plain", 5],
		["用户登录", 8],
		["ｆｕｌｌ", 8],
		["한국어", 6],
		["e\u0301", 1],
		["👩‍👩‍👧", 2],
		["✓ done", 6],
		["", 0],
		["\t\ttabs\r\n", 4],
		["\t用户", 4],
	])("%s takes %i", (text, cells) => {
		expect(measureCells(text)).toBe(cells);
	});

	it("cuts between characters, with a mark, and never takes more than it may", () => {
		expect(cutToCells("plain text", 7)).toBe("plain …");
		expect(cutToCells("用户登录", 8)).toBe("用户登录");
		expect(cutToCells("用户登录", 6)).toBe("用户…");
		expect(cutToCells("a👩‍👩‍👧b", 3)).toBe("a…");
		expect(cutToCells("wide", 0)).toBe("");
		for (let max = 1; max < 12; max += 1)
			expect(measureCells(cutToCells("ab用户👩‍👩‍👧cd", max))).toBeLessThanOrEqual(max);
	});
});
