import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { renderGrid, toCellText } from "../html/render-table.ts";

interface RowsView {
	readonly markdown: string;
	readonly shownRows: number;
}

const isFilled = (cell: string | undefined): boolean => cell !== undefined && cell !== "";

/** Drops empty rows and columns at the end: sheets are often formatted far beyond their data. */
function trimGrid(rows: readonly (readonly string[])[]): string[][] {
	let height = rows.length;
	while (height > 0 && !rows[height - 1]?.some(isFilled)) height -= 1;
	const kept = rows.slice(0, height);
	const width = kept.reduce((widest, row) => Math.max(widest, row.findLastIndex(isFilled) + 1), 0);
	return kept.map((row) => row.slice(0, width));
}

/**
 * Rows as a table, at most so many of them, with a line that says what is missing.
 * `moreRows` are rows the reader already left out.
 */
export function renderRows(rows: readonly (readonly string[])[], moreRows = 0): RowsView {
	const { maxRowsPerSheet, maxColumnsPerSheet } = CONVERSION_LIMITS;
	const grid = trimGrid(rows);
	const shown = grid
		.slice(0, maxRowsPerSheet)
		.map((row) => row.slice(0, maxColumnsPerSheet).map((cell) => toCellText(cell)));
	const hiddenRows = grid.length - shown.length + moreRows;
	const width = grid[0]?.length ?? 0;
	const notes = [
		hiddenRows > 0 && `first ${shown.length} of ${shown.length + hiddenRows} rows shown`,
		width > maxColumnsPerSheet && `first ${maxColumnsPerSheet} of ${width} columns shown`,
	].filter((note) => note !== false);
	const table = shown.length > 0 ? renderGrid(shown) : "*(empty)*";
	return {
		markdown: notes.length > 0 ? `${table}\n\n*(${notes.join("; ")})*` : table,
		shownRows: shown.length,
	};
}
