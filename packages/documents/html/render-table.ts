/** A cell as the table rule found it: Markdown inside, spans as written. */
export interface TableCell {
	readonly text: string;
	readonly columns: number;
	readonly rows: number;
}

/** A span attribute is a number from outside: `colspan="1000000"` must not become a million cells. */
const MAX_SPAN = 100;

export function readSpan(value: string): number {
	const span = Number.parseInt(value, 10);
	return Number.isFinite(span) && span > 1 ? Math.min(span, MAX_SPAN) : 1;
}

/** Block content of a cell on one line, with the pipe kept from ending the cell. */
export function toCellText(markdown: string): string {
	return markdown
		.trim()
		.replace(/[ \t]*\n\s*/g, "<br>")
		.replace(/(?<!\\)\|/g, "\\|");
}

/** Repeats nothing: a spanned place stays empty, so that every column keeps its position. */
function placeCell(grid: string[][], row: number, column: number, cell: TableCell): void {
	for (const line of grid.slice(row, row + cell.rows))
		for (let right = 0; right < cell.columns; right += 1) line[column + right] = "";
	const first = grid[row];
	if (first) first[column] = toCellText(cell.text);
}

function spreadSpans(rows: readonly (readonly TableCell[])[]): string[][] {
	const grid: string[][] = rows.map(() => []);
	rows.forEach((cells, row) => {
		let column = 0;
		for (const cell of cells) {
			while (grid[row]?.[column] !== undefined) column += 1;
			placeCell(grid, row, column, cell);
			column += cell.columns;
		}
	});
	return grid;
}

/**
 * A pipe table. Markdown knows no table without a head, so the first row is the head even when the source
 * did not mark it: an empty head above the data would say less.
 */
export function renderTable(rows: readonly (readonly TableCell[])[]): string {
	return renderGrid(spreadSpans(rows.filter((row) => row.length > 0)));
}

/** Cells that are already text on one line. */
export function renderGrid(grid: readonly (readonly string[])[]): string {
	const [head, ...body] = grid;
	if (!head) return "";
	const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
	const line = (cells: readonly string[]): string =>
		`| ${Array.from({ length: width }, (_, column) => cells[column] ?? "").join(" | ")} |`;
	const rule = `| ${Array.from({ length: width }, () => "---").join(" | ")} |`;
	return [line(head), rule, ...body.map(line)].join("\n");
}
