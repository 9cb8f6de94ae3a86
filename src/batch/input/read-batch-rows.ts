import { createReadStream } from "node:fs";
import { extname, resolve } from "node:path";
import { codeOf } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import { createDigestTable, digestText } from "../create-digest-table.ts";
import { type BatchRow, INPUT_FORMATS, type InputFormat, type ReadRowsOptions } from "./batch-row.ts";
import { parseCsvRows } from "./parse-csv-rows.ts";
import { parseJsonlRows } from "./parse-jsonl-rows.ts";
import { readGlobRows } from "./read-glob-rows.ts";
import { type InputLine, readInputLines } from "./read-input-lines.ts";

const FORMATS: Readonly<Record<string, InputFormat>> = {
	".jsonl": "jsonl",
	".ndjson": "jsonl",
	".csv": "csv",
	".tsv": "csv",
	".txt": "lines",
};
const PARSERS = { jsonl: parseJsonlRows, csv: parseCsvRows, lines: parseLines };
const GLOB_PREFIX = "glob:";

/** `in.jsonl`, `in.csv`, `-` for stdin, or `glob:` and a pattern: the rows of a batch as they are read. */
export async function* readBatchRows(source: string, options: ReadRowsOptions): AsyncGenerator<BatchRow> {
	if (source.startsWith(GLOB_PREFIX)) {
		yield* await readGlobRows(source.slice(GLOB_PREFIX.length), options);
		return;
	}
	const isStdin = source === "-";
	const name = isStdin ? "stdin" : source;
	const stream = isStdin ? readPipedInput(options) : readInputFile(resolve(options.cwd, source));
	const lines = readInputLines(stream, name);
	if (!isStdin || options.format !== undefined) {
		yield* PARSERS[options.format ?? chooseFormat(source)](lines, name);
		return;
	}
	// Stdin has no name to go by: objects are JSON lines, anything else is plain lines.
	const first = await readOpening(lines);
	yield* PARSERS[first.at(-1)?.text.trimStart().startsWith("{") ? "jsonl" : "lines"](
		withOpening(first, lines),
		name,
	);
}

function chooseFormat(source: string): InputFormat {
	const format = FORMATS[extname(source).toLowerCase()];
	if (format !== undefined) return format;
	throw new BatchError(
		`The format of ${JSON.stringify(source)} is unknown: name it with --format ${INPUT_FORMATS.join("|")}.`,
	);
}

/** Lines up to the first that is not blank. */
async function readOpening(lines: AsyncGenerator<InputLine>): Promise<readonly InputLine[]> {
	const read: InputLine[] = [];
	for (;;) {
		const { value, done } = await lines.next();
		if (done) return read;
		read.push(value);
		if (value.text.trim() !== "") return read;
	}
}

async function* withOpening(
	first: readonly InputLine[],
	rest: AsyncIterable<InputLine>,
): AsyncGenerator<InputLine> {
	yield* first;
	yield* rest;
}

/** Longer lines are tasks rather than names. */
const LONGEST_ID_CHARS = 200;

/** A line names its task, such as a path does, unless it came before. */
async function* parseLines(lines: AsyncIterable<InputLine>, name: string): AsyncGenerator<BatchRow> {
	const seen = createDigestTable(0);
	for await (const { text, number } of lines) {
		const line = text.endsWith("\r") ? text.slice(0, -1) : text;
		if (line.trim() === "") continue;
		const known = seen.size();
		const isName = seen.add(digestText(line)) === known && line.length <= LONGEST_ID_CHARS;
		const row = { place: `line ${number} of ${name}`, fields: { line } };
		yield isName ? { ...row, id: line } : row;
	}
}

async function* readInputFile(file: string): AsyncGenerator<Uint8Array> {
	try {
		for await (const chunk of createReadStream(file)) yield chunk as Buffer;
	} catch (error) {
		throw new BatchError(`The input ${JSON.stringify(file)} cannot be read (${codeOf(error)}).`);
	}
}

function readPipedInput({ stdin, say }: ReadRowsOptions): AsyncIterable<Uint8Array> {
	if (stdin.isTTY) say("reading rows from this terminal; end them with Ctrl-D.");
	return stdin;
}
