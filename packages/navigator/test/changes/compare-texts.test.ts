import { createComputingClock } from "@deputize/ground";
import { afterEach, describe, expect, it, vi } from "vitest";
import { compareTexts } from "../../changes/compare-texts.ts";

afterEach(() => void vi.restoreAllMocks());

describe("compareTexts", () => {
	it("finds the same where time flies", () => {
		let now = 0;
		vi.spyOn(Date, "now").mockImplementation(() => (now += 60_000));
		expect(compareTexts("a.js", "one\ntwo\nthree\n", "ONE\ntwo\nTHREE\n")).toMatchObject({
			added: [{ line: 1 }, { line: 3 }],
			removed: [{ line: 1 }, { line: 3 }],
		});
	});

	it("numbers removed lines as they were and added ones as they are", () => {
		expect(compareTexts("a.js", "one\ntwo\nthree\nfour\n", "zero\none\nthree\nFOUR\n")).toEqual({
			path: "a.js",
			added: [
				{ line: 1, text: "zero" },
				{ line: 4, text: "FOUR" },
			],
			removed: [
				{ line: 2, text: "two" },
				{ line: 4, text: "four" },
			],
			isDeleted: false,
		});
	});

	it("has all lines of a new and of a removed file, and none where only line ends differ", () => {
		expect(compareTexts("a", "", "x\ny").added).toHaveLength(2);
		expect(compareTexts("a", "x\ny\n", undefined)).toMatchObject({
			removed: [{ line: 1 }, { line: 2 }],
			isDeleted: true,
		});
		expect(compareTexts("a", "x\ny\n", "x\r\ny\r\n")).toMatchObject({ added: [], removed: [] });
	});

	it("ends in time for texts that have nothing in common", () => {
		const lines = (mark: string): string =>
			Array.from({ length: 60_000 }, (_, at) => `${mark}${at % 977}`).join("\n");
		const readTime = createComputingClock();
		const { added, removed } = compareTexts("a", lines("x"), lines("y"));
		expect([added.length, removed.length]).toEqual([60_000, 60_000]);
		expect(readTime()).toBeLessThan(10_000);
	});
});
