import type { Sheet, Workbook } from "hucre/xlsx";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { renderRows } from "./render-rows.ts";
import { renderCell } from "./spreadsheet-values.ts";

/** Every sheet under its name, as a table. `droppedRows` counts what was cut before reading, by sheet. */
export function renderWorkbook(workbook: Workbook, droppedRows: readonly number[] = []): ConvertedDocument {
	const sheets = workbook.sheets.slice(0, CONVERSION_LIMITS.maxSheets);
	const blocks = sheets.map((sheet, index) => renderSheet(sheet, droppedRows[index] ?? 0));
	const hidden = workbook.sheets.length - sheets.length;
	if (hidden > 0) blocks.push(`*(${hidden} more sheets not shown)*`);
	const title = workbook.properties?.title;
	return {
		markdown: blocks.join("\n\n"),
		metadata: { sheets: workbook.sheets.length },
		...(title && { title }),
	};
}

function renderSheet(sheet: Sheet, dropped: number): string {
	// Binary workbooks leave unwritten rows out of the array altogether.
	const rows = Array.from(sheet.rows as ArrayLike<unknown[] | null | undefined>, (row, rowIndex) =>
		(row ?? []).map((_, column) => renderCell(sheet, rowIndex, column)),
	);
	const state = sheet.hidden || sheet.veryHidden ? " (hidden)" : "";
	return `## Sheet: ${sheet.name}${state}\n\n${renderRows(rows, dropped).markdown}`;
}
