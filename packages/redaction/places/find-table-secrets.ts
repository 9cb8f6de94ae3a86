import { type Detector, inAnyCase, readingFrom } from "../detector.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { classifyKey, type KeyClass } from "../judgement/classify-key.ts";
import type { Deadline, Span } from "../spans.ts";

/** Columns of tables whose title names a secret: CSV, Markdown, what database shells and `kubectl get` print. */
export const TABLE_SECRETS: Detector = {
	literals: inAnyCase(["pass", "pwd", "secret", "token", "key"]),
	find: readingFrom(readTable),
};

/** Titles and rows may be of any length; a long line is split only when it begins like a line of titles. */
const FIRST_LOOK = 16_384;

function readTable(text: string, index: number, spans: Span[], deadline: Deadline): number {
	const end = text.indexOf("\n", index);
	// Without a further line there are no rows.
	if (end === -1) return text.length;
	const table = readHead(text, { start: text.lastIndexOf("\n", index) + 1, end });
	return table === undefined ? end : readTableRows(text, end + 1, table, spans, deadline);
}

interface Table {
	readonly split: (line: string) => readonly Cell[];
	readonly titles: readonly Cell[];
	readonly columns: readonly { readonly number: number; readonly class: KeyClass }[];
}

interface Cell {
	readonly offset: number;
	readonly content: string;
}

const DELIMITERS = ["\t", "|", "\u2502", ";", ","];
/** What titles are made of. A line of code, of prose or of values has something else in it. */
export const TITLE = /^[`*"' ]{0,4}[A-Za-z_][\w .()/#-]{0,39}[`*"' ]{0,4}$/;

/** All that titles, what sets them off and what is between them are made of. */
export const TITLES = /^[\w\s.()/#`*"'|\u2502;,-]{0,16384}$/;

function readHead(text: string, head: Span): Table | undefined {
	const written = text.slice(head.start, head.end);
	// Wikis double the borders of titles.
	const line = written.startsWith("||") ? written.replaceAll("||", "|") : written;
	if (!TITLES.test(line.slice(0, FIRST_LOOK))) return undefined;
	const delimiter = DELIMITERS.find((candidate) => line.includes(candidate));
	if (delimiter === undefined && !/\S {2,}\S/.test(line.slice(0, 400)))
		return readSingleTitle(text, head, line);
	if (!beginsLikeTitles(line, delimiter)) return undefined;
	const split = delimiter === undefined ? splitAligned(line) : splitDelimited(delimiter);
	const titles = split(line);
	const named = titles.filter(({ content }) => content !== "");
	if (named.length < 2 || !named.every(({ content }) => TITLE.test(content))) return undefined;
	if (delimiter === undefined && !named.every(({ content }) => /^[A-Z][A-Z0-9_ ()/-]*$/.test(content)))
		return undefined;
	if ((delimiter === "," || delimiter === ";") && isList(line)) return undefined;
	if (continuesTable(text, head, delimiter)) return undefined;
	const columns = titles.flatMap(({ content }, number) => {
		const keyClass = classifyKey(content);
		return keyClass === "password" || keyClass === "secret" ? [{ number, class: keyClass }] : [];
	});
	return columns.length === 0 ? undefined : { split, titles, columns };
}

/** One column, as database shells print it: the title, a line of dashes, the values. */
function readSingleTitle(text: string, head: Span, line: string): Table | undefined {
	const title = line.trim();
	if (
		line.length > 80 ||
		!TITLE.test(title) ||
		!/^\n ?-{3,200}\r?\n/.test(text.slice(head.end, head.end + 210))
	)
		return undefined;
	const keyClass = classifyKey(title);
	if (keyClass !== "password" && keyClass !== "secret") return undefined;
	const split = (row: string): readonly Cell[] => [trimCell(row, 0, row.length)];
	return { split, titles: split(line), columns: [{ number: 0, class: keyClass }] };
}

/** Spares a line of several megabytes, such as minified code, from being taken apart. */
function beginsLikeTitles(line: string, delimiter: string | undefined): boolean {
	if (line.length <= FIRST_LOOK) return true;
	if (delimiter === undefined) return /^[A-Z0-9_ ()/-]+$/.test(line);
	const cells = splitDelimited(delimiter)(line.slice(0, FIRST_LOOK)).slice(0, -1);
	return cells.every(({ content }) => content === "" || TITLE.test(content));
}

/** `"text", "password",`: strings in code. */
function isList(line: string): boolean {
	return /["'][,;] |[,;]\s{0,4}$/.test(line);
}

/** Titles are the first line of a table; in a table of options, `password` is a row. */
function continuesTable(text: string, head: Span, delimiter: string | undefined): boolean {
	if (head.start === 0 || delimiter === undefined) return false;
	const before = text.slice(Math.max(0, head.start - FIRST_LOOK), head.start - 1);
	const previous = before.slice(before.lastIndexOf("\n") + 1);
	return previous.includes(delimiter) && /[^\s|+\u2500-\u257f-]/.test(previous);
}

function readTableRows(text: string, from: number, table: Table, spans: Span[], deadline: Deadline): number {
	let start = from;
	while (start < text.length) {
		deadline.check();
		const next = text.indexOf("\n", start);
		const end = next === -1 ? text.length : next;
		const line = text.slice(start, end).replace(/\r$/, "");
		if (!BORDER.test(line)) {
			const cells = table.split(line);
			if (line.trim() === "" || cells.length !== table.titles.length) break;
			addSecrets(cells, table, start, spans);
		}
		start = end + 1;
	}
	return start - 1;
}

/** `|---|---|`, `+-----+`, `───┼───`. */
export const BORDER = /^[\s|+:=\u2500-\u257f-]{3,2000}$/;

function addSecrets(cells: readonly Cell[], table: Table, lineStart: number, spans: Span[]): void {
	for (const column of table.columns) {
		const cell = cells[column.number];
		if (cell === undefined || !isSecretValue(cell.content, column.class, "quoted")) continue;
		const start = lineStart + cell.offset;
		spans.push({ start, end: start + cell.content.length });
	}
}

/** Quotes protect a delimiter, as CSV has it. Without them at the edges and without white space. */
function splitDelimited(delimiter: string): (line: string) => readonly Cell[] {
	return (line) => {
		const cells: Cell[] = [];
		let start = 0;
		let quoted = false;
		for (let index = 0; index <= line.length; index += 1) {
			if (line[index] === '"') quoted = !quoted;
			if (index < line.length && (quoted || line[index] !== delimiter)) continue;
			cells.push(trimCell(line, start, index));
			start = index + 1;
		}
		return cells;
	};
}

/** Columns begin where their titles do. */
function splitAligned(head: string): (line: string) => readonly Cell[] {
	const starts = [...head.matchAll(/(?<=^|[ ]{2})\S/g)].map(({ index }) => index);
	return (line) => {
		if (starts.some((start) => start > 0 && /\S/.test(line.charAt(start - 1)))) return [];
		return starts.map((start, number) =>
			trimCell(line, start, Math.min(line.length, starts[number + 1] ?? line.length)),
		);
	};
}

function trimCell(line: string, from: number, to: number): Cell {
	let [start, end] = [from, Math.max(from, to)];
	while (start < end && /[\s"'`]/.test(line.charAt(start))) start += 1;
	while (end > start && /[\s"'`]/.test(line.charAt(end - 1))) end -= 1;
	return { offset: start, content: line.slice(start, end) };
}
