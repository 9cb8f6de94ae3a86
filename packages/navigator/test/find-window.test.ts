import { describe, expect, it } from "vitest";
import { classifyLine } from "../classify-line.ts";
import { findWindow } from "../find-window.ts";

const line = (number: number, values: readonly number[]) => ({
	line: number,
	text: "",
	reading: classifyLine(undefined, number, ""),
	values,
	nameBonus: 0,
	score: values.reduce((total, value) => total + value, 0),
});

describe("findWindow", () => {
	it("finds the screen of lines that has most of the terms", () => {
		const window = findWindow([line(1, [4, 0]), line(100, [3, 0]), line(110, [0, 3]), line(300, [0, 4])]);
		expect(window).toMatchObject({ first: 100, last: 110, values: [3, 3] });
	});

	it("does not count the same term twice", () => {
		const window = findWindow([line(1, [2, 0]), line(2, [2, 0]), line(3, [2, 0]), line(50, [2, 2])]);
		expect(window.first).toBe(50);
	});

	it("is empty without lines", () => {
		expect(findWindow([])).toEqual({ first: 1, last: 1, score: 0, values: [] });
	});
});
