import { describe, expect, it } from "vitest";
import { quoteLine } from "../quote-line.ts";

describe("quoteLine", () => {
	it.each([
		["\t\tconst a  = 1;", "`const a = 1;`"],
		["use `npm start`", "`` use `npm start` ``"],
		["a ``` fence", "`` a ` fence ``"],
		["   ", "(empty line)"],
	])("quotes %j", (text, quoted) => {
		expect(quoteLine(text)).toBe(quoted);
	});

	it("is bounded and never cuts a character in half", () => {
		const quoted = quoteLine("😀".repeat(500));
		expect(quoted.length).toBeLessThan(170);
		expect(quoted.isWellFormed()).toBe(true);
	});
});
