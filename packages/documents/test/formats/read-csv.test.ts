import { describe, expect, it } from "vitest";
import { CONVERSION_LIMITS } from "../../conversion-limits.ts";
import { readCsv } from "../../formats/read-csv.ts";

const read = (text: string, delimiter?: string) => readCsv(Buffer.from(text), "text/csv", delimiter).markdown;

describe("readCsv", () => {
	it.each([
		["commas", "a,b\n1,2\n", undefined],
		["semicolons", "a;b\n1;2\n", undefined],
		["tabs", "a\tb\n1\t2\n", "\t"],
		["a byte order mark and Windows line ends", "\uFEFFa,b\r\n1,2\r\n", undefined],
	])("reads %s", (_what, text, delimiter) => {
		expect(read(text, delimiter)).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |");
	});

	it("keeps quoted commas, quotes and line breaks in their cell", () => {
		expect(read('a,b\n"x, y","say ""hi""\nthere"\n')).toBe(
			'| a | b |\n| --- | --- |\n| x, y | say "hi"<br>there |',
		);
	});

	it("keeps numbers and leading zeros as they are written", () => {
		expect(read("id,n\n007,1.50\n")).toBe("| id | n |\n| --- | --- |\n| 007 | 1.50 |");
	});

	it("decodes text of old Windows programs", () => {
		expect(readCsv(Buffer.from("name\nM\xfcller,x\n", "latin1"), "").markdown).toContain("Müller");
	});

	it("shows the first rows of a long table and counts all", () => {
		const rows = CONVERSION_LIMITS.maxRowsPerSheet + 500;
		const text = Array.from({ length: rows }, (_, index) => `${index},x`).join("\n");
		const markdown = read(text);
		expect(markdown).toContain(`| ${CONVERSION_LIMITS.maxRowsPerSheet - 1} | x |`);
		expect(markdown).not.toContain(`| ${CONVERSION_LIMITS.maxRowsPerSheet} | x |`);
		expect(markdown.endsWith(`*(first ${CONVERSION_LIMITS.maxRowsPerSheet} of ${rows} rows shown)*`)).toBe(
			true,
		);
	});

	it("shows the first columns of a wide table and counts all", () => {
		const markdown = read(`${Array.from({ length: 300 }, (_, index) => `c${index}`).join(",")}\n`, ",");
		expect(markdown).toContain("| c199 |");
		expect(markdown).not.toContain("c200");
		expect(markdown.endsWith("*(first 200 of 300 columns shown)*")).toBe(true);
	});
});
