/**
 * Cells reach the table as one string, the way the writer hands children to their parent. These characters mark
 * where a cell and a row begin; they are from the private use area and are taken out of the page's own text.
 */
const CELL = "\uE000";
const SPAN_END = "\uE001";
const ROW = "\uE002";
const HEADER_ROW = "\uE003";
const MARKS = /[\uE000-\uE003]/g;

/** A colspan of a million would otherwise be a million columns. */
const MAX_COLUMNS = 60;
const MAX_SPAN = 1000;

interface Cell {
	readonly text: string;
	readonly columns: number;
	readonly rows: number;
}

export function removeTableMarks(text: string): string {
	return text.replace(MARKS, "");
}

export function markCell(content: string, colspan: string | null, rowspan: string | null): string {
	return `${CELL}${toSpan(colspan)},${toSpan(rowspan)}${SPAN_END}${content}`;
}

export function markRow(content: string, isHeader: boolean): string {
	return `${isHeader ? HEADER_ROW : ROW}${content}`;
}

/** A GitHub table out of marked rows. Without a header row the header stays empty: guessing one would change data. */
export function renderTable(marked: string): string {
	const rows = splitRows(marked);
	const grid = layOut(rows.map((row) => row.cells));
	const width = Math.min(MAX_COLUMNS, Math.max(0, ...grid.map((cells) => cells.length)));
	if (width === 0) return "";
	const firstIsHeader = rows[0]?.isHeader === true;
	const header = firstIsHeader ? (grid[0] ?? []) : [];
	const body = firstIsHeader ? grid.slice(1) : grid;
	const divider = `|${" --- |".repeat(width)}`;
	return [renderRow(header, width), divider, ...body.map((cells) => renderRow(cells, width))].join("\n");
}

function splitRows(marked: string): { cells: Cell[]; isHeader: boolean }[] {
	return marked
		.split(/(?=[\uE002\uE003])/)
		.filter((row) => row.startsWith(ROW) || row.startsWith(HEADER_ROW))
		.map((row) => ({ isHeader: row.startsWith(HEADER_ROW), cells: splitCells(row.slice(1)) }))
		.filter((row) => row.cells.length > 0);
}

function splitCells(row: string): Cell[] {
	return row
		.split(CELL)
		.slice(1)
		.map((cell) => {
			const end = cell.indexOf(SPAN_END);
			const [columns, rows] = cell.slice(0, end).split(",").map(Number);
			return { columns: columns ?? 1, rows: rows ?? 1, text: toOneLine(cell.slice(end + 1)) };
		});
}

/** Places cells in columns: a cell that spans rows leaves blanks below itself, so that the others stay in place. */
function layOut(rows: readonly (readonly Cell[])[]): string[][] {
	const blockedUntil: number[] = [];
	return rows.map((cells, rowIndex) => {
		const line: string[] = [];
		const skipBlocked = () => {
			while ((blockedUntil[line.length] ?? 0) > rowIndex && line.length < MAX_COLUMNS) line.push("");
		};
		for (const cell of cells) {
			skipBlocked();
			for (let column = 0; column < cell.columns && line.length < MAX_COLUMNS; column += 1) {
				blockedUntil[line.length] = rowIndex + cell.rows;
				line.push(column === 0 ? cell.text : "");
			}
		}
		skipBlocked();
		return line;
	});
}

function renderRow(cells: readonly string[], width: number): string {
	const padded = Array.from({ length: width }, (_, index) => cells[index] ?? "");
	return `| ${padded.join(" | ")} |`;
}

function toOneLine(content: string): string {
	return removeTableMarks(content)
		.trim()
		.replace(/\s*\n\s*/g, "<br>")
		.replace(/(?:<br>){2,}/g, "<br>")
		.replaceAll("|", "\\|");
}

function toSpan(value: string | null): number {
	const span = Number.parseInt(value ?? "1", 10);
	return span >= 1 && span <= MAX_SPAN ? span : 1;
}
