import { describe, expect, it } from "vitest";
import {
	BILLION_LAUGHS,
	hugeWorksheet,
	makeXlsx,
	worksheet,
} from "../../../../test/helpers/convert-hostile.ts";
import { CONVERSION_LIMITS } from "../../conversion-limits.ts";
import { readExcelWorkbook } from "../../formats/read-spreadsheet.ts";
import { trimSheetRows } from "../../formats/trim-sheet-rows.ts";

const read = async (sheet: string | Uint8Array) => (await readExcelWorkbook(makeXlsx(sheet))).markdown;

describe("readExcelWorkbook", () => {
	it("shows the first rows of a sheet of 10 MB and counts the others", async () => {
		const sheet = hugeWorksheet(10);
		const total = sheet.toString("latin1").split("<row ").length - 1;
		const markdown = await read(sheet);
		const shown = CONVERSION_LIMITS.maxRowsPerSheet;
		expect(
			markdown.startsWith("## Sheet: Big\n\n| 1 | some text in a cell |\n| --- | --- |\n| 2 | some"),
		).toBe(true);
		expect(markdown).toContain(`| ${shown} | some text in a cell |`);
		expect(markdown).not.toContain(`| ${shown + 1} | some`);
		expect(markdown.endsWith(`*(first ${shown} of ${total} rows shown)*`)).toBe(true);
	});

	it("shows the corner of a sheet whose last cell is the farthest there is", async () => {
		const far =
			'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>';
		expect(await read(worksheet(far))).toBe(
			"## Sheet: Big\n\n| 1 |\n| --- |\n\n*(cells outside A1:GR2000 not shown)*",
		);
	});

	it("says that a sheet is empty", async () => {
		expect(await read(worksheet(""))).toBe("## Sheet: Big\n\n*(empty)*");
	});

	it("refuses entities of its own", async () => {
		await expect(read(BILLION_LAUGHS + worksheet(""))).rejects.toMatchObject({ code: "DOCUMENT_UNSAFE" });
	});

	it("calls XML that is cut off damaged", async () => {
		await expect(read(worksheet("<row").slice(0, 150))).rejects.toMatchObject({ code: "DOCUMENT_DAMAGED" });
	});
});

describe("trimSheetRows", () => {
	const rows = (...names: string[]) => names.map((name) => `<${name} r="1"><c/></${name}>`).join("");

	it("cuts after so many rows and keeps what follows them", () => {
		const xml = `<worksheet><sheetData>${rows("row", "row", "row")}</sheetData><hyperlinks/></worksheet>`;
		const { xml: cut, droppedRows } = trimSheetRows(Buffer.from(xml), 2);
		expect(cut.toString()).toBe(
			`<worksheet><sheetData>${rows("row", "row")}</sheetData><hyperlinks/></worksheet>`,
		);
		expect(droppedRows).toBe(1);
	});

	it("knows rows with a prefix and rows without cells", () => {
		const xml = `<x:worksheet><x:sheetData>${rows("x:row")}<x:row/>${rows("x:row")}</x:sheetData></x:worksheet>`;
		const { xml: cut, droppedRows } = trimSheetRows(Buffer.from(xml), 1);
		expect(cut.toString()).toBe(`<x:worksheet><x:sheetData>${rows("x:row")}</x:sheetData></x:worksheet>`);
		expect(droppedRows).toBe(2);
	});

	it("does not take the word in a cell for a row", () => {
		const xml = "<sheetData><row><c>row row &lt;row> arrow </c></row></sheetData>";
		expect(trimSheetRows(Buffer.from(xml), 1)).toEqual({ xml: Buffer.from(xml), droppedRows: 0 });
	});
});
