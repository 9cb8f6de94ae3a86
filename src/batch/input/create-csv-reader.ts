import type { InputLine } from "./read-input-lines.ts";

/** Why a line cannot be part of a table; the place is for the caller to say. */
export class CsvMistake extends Error {}

const END = -1;

/**
 * Rows of a table from its lines. Quotes begin a value or mean nothing; one that began a value must end before a delimiter or
 * the line's end. A reader that is more tolerant than this makes one row of several when a quote is missing.
 */
export function createCsvReader(delimiter: string, maxRowChars: number) {
	let cells: string[] = [];
	/** What is known of a quoted value that has not ended, and the line in which it began. */
	let open: { readonly line: number; text: string } | undefined;
	const describeOpen = (line: number): string =>
		`The quote that begins a value in line ${line} is not closed.`;
	/** Reads on in a quoted value. Returns where it ended, or undefined when the line is all of it. */
	const readQuoted = (text: string, from: number, value: { text: string }): number | undefined => {
		let at = from;
		for (;;) {
			const quote = text.indexOf('"', at);
			if (quote === -1) {
				value.text += text.slice(at);
				return undefined;
			}
			value.text += text.slice(at, quote);
			if (text[quote + 1] !== '"') return quote + 1;
			value.text += '"';
			at = quote + 2;
		}
	};
	/** Returns where the next cell begins, `END` after the last one, undefined when the value goes on in the next line. */
	const readCell = (text: string, at: number, number: number): number | undefined => {
		const isQuoted = text[at] === '"';
		if (open === undefined && !isQuoted) {
			const end = text.indexOf(delimiter, at);
			cells.push(text.slice(at, end === -1 ? undefined : end));
			return end === -1 ? END : end + delimiter.length;
		}
		const begin = open === undefined ? at + 1 : at;
		open ??= { line: number, text: "" };
		const end = readQuoted(text, begin, open);
		if (end === undefined && open.text.length > maxRowChars) throw new CsvMistake(describeOpen(open.line));
		if (end === undefined) return undefined;
		if (end < text.length && !text.startsWith(delimiter, end))
			throw new CsvMistake(
				`After the closing quote of a value that begins in line ${open.line} comes ${JSON.stringify(text[end])}. A quote inside of a value is written twice, and one may be missing before.`,
			);
		cells.push(open.text);
		open = undefined;
		return end === text.length ? END : end + delimiter.length;
	};
	return {
		/** The cells of a row, or undefined when a value goes on in the next line. */
		read({ text: line, number }: InputLine): readonly string[] | undefined {
			const text = line.endsWith("\r") ? line.slice(0, -1) : line;
			if (open !== undefined) open.text += "\n";
			let at: number | undefined = 0;
			while (at !== undefined && at !== END) at = readCell(text, at, number);
			if (at === undefined) return undefined;
			const row = cells;
			cells = [];
			return row;
		},
		end(): void {
			if (open !== undefined) throw new CsvMistake(describeOpen(open.line));
		},
	};
}
