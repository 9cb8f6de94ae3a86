import type { Cell, CellValue, Sheet } from "hucre/xlsx";
import { encodeAddress } from "../html/encode-address.ts";

const MIDNIGHT = "T00:00:00.000Z";

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

function renderValue(value: CellValue | undefined, cell: Cell | undefined): string {
	if (value === null || value === undefined) return "";
	if (value instanceof Date) return renderDate(value);
	if (typeof value === "number" && cell?.style?.numFmt?.includes("%")) return renderPercent(value);
	if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
	return String(value);
}

/** What a cell shows: the value, not the formula; percentages as such; links as links. */
export function renderCell(sheet: Sheet, row: number, column: number): string {
	const cell = sheet.cells?.get(`${row},${column}`);
	const text = renderValue(sheet.rows[row]?.[column], cell);
	const target = cell?.hyperlink?.target ?? "";
	return text && /^(https?|mailto):/i.test(target) ? `[${text}](${encodeAddress(target)})` : text;
}
