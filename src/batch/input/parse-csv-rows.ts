import { LIMITS } from "../../contract/limits.ts";
import { BatchError } from "../batch-error.ts";
import type { BatchRow } from "./batch-row.ts";
import { CsvMistake, createCsvReader } from "./create-csv-reader.ts";
import type { InputLine } from "./read-input-lines.ts";

/** So many lines tell what is between the values. */
const SAMPLE_LINES = 10;

/** The first row names the columns. A column `id` names the row. */
export async function* parseCsvRows(lines: AsyncIterable<InputLine>, name: string): AsyncGenerator<BatchRow> {
	let names: readonly string[] | undefined;
	let number = 0;
	for await (const cells of readCsvCells(lines, name)) {
		if (cells.every((cell) => cell === "")) continue;
		if (names === undefined) names = readHeader(cells, name);
		else {
			number += 1;
			yield toBatchRow(cells, names, `row ${number} of ${name}`);
		}
	}
}

async function* readCsvCells(
	lines: AsyncIterable<InputLine>,
	name: string,
): AsyncGenerator<readonly string[]> {
	const { detectDelimiter } = await import("hucre/csv");
	const sample: InputLine[] = [];
	let reader: ReturnType<typeof createCsvReader> | undefined;
	const read = (line: InputLine): readonly (readonly string[])[] => {
		const row = refuseMistakes(name, () => reader?.read(line));
		return row === undefined ? [] : [row];
	};
	const begin = (): readonly (readonly string[])[] => {
		reader = createCsvReader(detectDelimiter(sample.map(({ text }) => text).join("\n")), LIMITS.maxLineBytes);
		return sample.flatMap(read);
	};
	for await (const line of lines) {
		if (reader !== undefined) yield* read(line);
		else if (sample.push(line) === SAMPLE_LINES) yield* begin();
	}
	if (reader === undefined) yield* begin();
	refuseMistakes(name, () => reader?.end());
}

function refuseMistakes<Value>(name: string, read: () => Value): Value {
	try {
		return read();
	} catch (error) {
		if (error instanceof CsvMistake) throw new BatchError(`In ${name}: ${error.message}`);
		throw error;
	}
}

function readHeader(cells: readonly string[], name: string): readonly string[] {
	const names = cells.map((cell) => cell.trim());
	const seen = new Set([""]);
	const repeated = names.find((column) => seen.size === seen.add(column).size);
	if (repeated === undefined) return names;
	throw new BatchError(
		repeated === ""
			? `In ${name}: a column has no name. The first row must name every column.`
			: `In ${name}: the column ${JSON.stringify(repeated)} occurs twice. Rename one.`,
	);
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
