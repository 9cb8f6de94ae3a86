import { describe, expect, it } from "vitest";
import { parseMemory, parseSeconds } from "../../../../src/tools/shell/python-limits.ts";

describe("parseMemory", () => {
	it.each([
		["512m", 512],
		["1g", 1024],
		[" 2 GB ", 2048],
		["128MiB", 128],
		["65536k", 64],
		["134217728", 128],
		["100.5m", undefined],
		["m", undefined],
		["-512m", undefined],
		["512t", undefined],
		["9".repeat(13), undefined],
		["63m", undefined],
		["65535k", undefined],
		["2049m", undefined],
	])("reads %j as %s megabytes", (text, megabytes) => {
		if (megabytes === undefined)
			expect(() => parseMemory(text)).toThrow(
				expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining("mem must") }),
			);
		else expect(parseMemory(text)).toBe(megabytes);
	});
});

describe("parseSeconds", () => {
	it.each([
		[0.5, 500],
		[300, 300_000],
	])("reads %d seconds as %d ms", (seconds, milliseconds) => {
		expect(parseSeconds(seconds)).toBe(milliseconds);
	});

	it.each([0, -1, 300.001, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d", (seconds) => {
		expect(() => parseSeconds(seconds)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
	});
});
