import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { codeOf, collectBytes } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";
import { type BatchRow, INPUT_FORMATS, type InputFormat, type ReadRowsOptions } from "./batch-row.ts";
import { parseCsvRows } from "./parse-csv-rows.ts";
import { parseJsonlRows } from "./parse-jsonl-rows.ts";
import { readGlobRows } from "./read-glob-rows.ts";

const FORMATS: Readonly<Record<string, InputFormat>> = {
	".jsonl": "jsonl",
	".ndjson": "jsonl",
	".csv": "csv",
	".tsv": "csv",
	".txt": "lines",
};
const GLOB_PREFIX = "glob:";

/** `in.jsonl`, `in.csv`, `-` for stdin, or `glob:` and a pattern: the rows of a batch, read whole. */
export async function readBatchRows(source: string, options: ReadRowsOptions): Promise<readonly BatchRow[]> {
	if (source.startsWith(GLOB_PREFIX)) return readGlobRows(source.slice(GLOB_PREFIX.length), options);
	const isStdin = source === "-";
	const text = isStdin ? await readPipedInput(options) : await readInputFile(resolve(options.cwd, source));
	const name = isStdin ? "stdin" : source;
	const rows = await parseRows(text, name, options.format ?? chooseFormat(source, text));
	if (rows.length > BATCH_LIMITS.maxTasks) {
		throw new BatchError(
			`${name} has ${rows.length} rows; a batch takes at most ${BATCH_LIMITS.maxTasks}. Split it.`,
		);
	}
	return rows;
}

/** Stdin has no name to go by: objects are JSON lines, anything else is plain lines. */
function chooseFormat(source: string, text: string): InputFormat {
	if (source === "-") return text.trimStart().startsWith("{") ? "jsonl" : "lines";
	const format = FORMATS[extname(source).toLowerCase()];
	if (format !== undefined) return format;
	throw new BatchError(
		`The format of ${JSON.stringify(source)} is unknown: name it with --format ${INPUT_FORMATS.join("|")}.`,
	);
}

async function parseRows(text: string, name: string, format: InputFormat): Promise<readonly BatchRow[]> {
	if (format === "csv") return parseCsvRows(text, name);
	return format === "jsonl" ? parseJsonlRows(text, name) : parseLines(text, name);
}

/** Longer lines are tasks rather than names. */
const LONGEST_ID_CHARS = 200;

/** A line names its task, such as a path does, unless it came before. */
function parseLines(text: string, name: string): readonly BatchRow[] {
	const seen = new Set<string>();
	return text.split(/\r?\n/).flatMap((line, index) => {
		if (line.trim() === "") return [];
		const isName = line.length <= LONGEST_ID_CHARS && !seen.has(line);
		seen.add(line);
		const row = { place: `line ${index + 1} of ${name}`, fields: { line } };
		return [isName ? { ...row, id: line } : row];
	});
}

async function readInputFile(file: string): Promise<string> {
	try {
		const { size } = await stat(file);
		if (size > BATCH_LIMITS.maxInputBytes) throw tooLarge(file);
		return withoutMark(await readFile(file, "utf8"));
	} catch (error) {
		if (error instanceof BatchError) throw error;
		const code = codeOf(error);
		throw new BatchError(`The input ${JSON.stringify(file)} cannot be read (${code}).`);
	}
}

async function readPipedInput({ stdin, say }: ReadRowsOptions): Promise<string> {
	if (stdin.isTTY) say("reading rows from this terminal; end them with Ctrl-D.");
	const { bytes, isCut } = await collectBytes(stdin, BATCH_LIMITS.maxInputBytes);
	if (isCut) throw tooLarge("stdin");
	return withoutMark(bytes.toString("utf8"));
}

function withoutMark(text: string): string {
	return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function tooLarge(name: string): BatchError {
	return new BatchError(`${name} is larger than ${BATCH_LIMITS.maxInputBytes} bytes. Split the input.`);
}
