import { BatchError } from "../batch-error.ts";
import type { BatchRow } from "./batch-row.ts";

/** The first row names the columns. A column `id` names the row. */
export async function parseCsvRows(text: string, name: string): Promise<readonly BatchRow[]> {
	const { detectDelimiter, parseCsv } = await import("hucre/csv");
	const table = parseCsv(text, { delimiter: detectDelimiter(text), skipEmptyRows: true }).map((row) =>
		row.map((cell) => String(cell ?? "")),
	);
	const [header = [], ...body] = table;
	const names = header.map((cell) => cell.trim());
	const seen = new Set([""]);
	const repeated = names.find((column) => seen.size === seen.add(column).size);
	if (repeated !== undefined) {
		throw new BatchError(
			repeated === ""
				? `In ${name}: a column has no name. The first row must name every column.`
				: `In ${name}: the column ${JSON.stringify(repeated)} occurs twice. Rename one.`,
		);
	}
	return body.map((cells, index) => toBatchRow(cells, names, `row ${index + 1} of ${name}`));
}

function toBatchRow(cells: readonly string[], names: readonly string[], place: string): BatchRow {
	if (cells.length > names.length) {
		throw new BatchError(
			`In ${place}: ${cells.length} values for ${names.length} columns. Quote values with commas.`,
		);
	}
	const fields = Object.fromEntries(names.map((column, index) => [column, cells[index] ?? ""]));
	const id = fields["id"];
	return id === undefined || id === "" ? { place, fields } : { place, id, fields };
}
