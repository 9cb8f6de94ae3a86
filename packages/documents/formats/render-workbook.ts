import type { Cell, CellValue, Sheet, Workbook } from "hucre/xlsx";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { encodeAddress } from "../html/escape-html.ts";
import { renderRows } from "./render-rows.ts";

const MIDNIGHT = "T00:00:00.000Z";

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

/** What a cell shows: the value, not the formula; percentages as such; links as links. */
function renderCell(sheet: Sheet, row: number, column: number): string {
	const cell = sheet.cells?.get(`${row},${column}`);
	const text = renderValue(sheet.rows[row]?.[column], cell);
	const target = cell?.hyperlink?.target ?? "";
	return text && /^(https?|mailto):/i.test(target) ? `[${text}](${encodeAddress(target)})` : text;
}

function renderValue(value: CellValue | undefined, cell: Cell | undefined): string {
	if (value === null || value === undefined) return "";
	if (value instanceof Date) return renderDate(value);
	if (typeof value === "number" && cell?.style?.numFmt?.includes("%")) return renderPercent(value);
	if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
	return String(value);
}

function renderDate(date: Date): string {
	if (Number.isNaN(date.getTime())) return "";
	const iso = date.toISOString();
	if (iso.endsWith(MIDNIGHT)) return iso.slice(0, 10);
	return iso.slice(0, 19).replace("T", " ");
}

/** 0.07 * 100 is 7.000000000000001; nobody wrote that into the sheet. */
function renderPercent(value: number): string {
	return `${Number((value * 100).toPrecision(12))}%`;
}
