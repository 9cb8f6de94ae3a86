import { matchAt } from "../../match-at.ts";
import { type Detector, inAnyCase, readingFrom } from "../detector.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { classifyKey, type KeyClass } from "../judgement/classify-key.ts";
import type { Deadline, Span } from "../spans.ts";

/** Values whose column names a secret: `INSERT INTO users (name, password) VALUES ('ann', '…')`, and `COPY` of a dump. */
export const INSERTED_SECRETS: Detector = {
	literals: inAnyCase(["insert into", "replace into", "copy "]),
	find: readingFrom(readInsertedSecrets),
};

export const INSERT =
	/(?:insert|replace) into\s{1,4}[\w."`[\]]{1,120}\s{0,4}\(([^()]{1,2000})\)\s{0,4}(?:output[^()]{0,80})?values\s{0,4}(?=\()/iy;
export const COPY =
	/copy\s{1,4}[\w."]{1,120}\s{0,4}\(([^()]{1,2000})\)\s{0,4}from\s{1,4}stdin[^;\n]{0,80};?[ \t]{0,4}\r?\n/iy;
/** Logs have the statement with places for its values, and the values on the next line. */
export const PARAMETERS = /(?<=[?%$:][\w()]{0,20}[ ]{0,2})\)[^\n]{0,200}\n[^\n([]{0,160}[([](?=["'\d])/y;
export const BETWEEN_ROWS = /\)\s{0,4},\s{0,40}(?=\()/y;
/** A string, doubled quotes included, or anything else up to the next comma. */
export const ROW_VALUE =
	/\s{0,40}(?:[NE]?'((?:[^'\\]|''|\\[\s\S]){0,2000})'|"([^"\n]{0,2000})"|([^,()'"]{0,400}(?:\([^()]{0,200}\))?))\s{0,40}/y;
const MAXIMUM_COLUMNS = 200;

function readInsertedSecrets(text: string, index: number, spans: Span[], deadline: Deadline): number {
	const insert = matchAt(INSERT, text, index);
	const statement = insert ?? matchAt(COPY, text, index);
	if (statement === null) return index;
	const classes = toClasses(statement[1] ?? "");
	const start = index + statement[0].length;
	if (insert === null) return readCopiedRows(text, start, classes, spans, deadline);
	const end = readRows(text, start, classes, spans, deadline);
	const parameters = matchAt(PARAMETERS, text, end);
	if (parameters !== null) readRow(text, end + parameters[0].length, classes, spans);
	return end;
}

function toClasses(columns: string): readonly KeyClass[] {
	return columns.split(",").map((column) => classifyKey(column.replace(/[\s"`[\]]/g, "")));
}

/** Up to the line `\\.`, one row a line, tabs between its values. */
function readCopiedRows(
	text: string,
	from: number,
	classes: readonly KeyClass[],
	spans: Span[],
	deadline: Deadline,
): number {
	let start = from;
	while (start < text.length && !text.startsWith("\\.", start)) {
		deadline.check();
		const next = text.indexOf("\n", start);
		const end = next === -1 ? text.length : next;
		let position = start;
		text
			.slice(start, end)
			.split("\t")
			.forEach((value, column) => {
				const keyClass = classes[column] ?? "none";
				if (keyClass !== "weak" && isSecretValue(value.trimEnd(), keyClass, "quoted"))
					spans.push({ start: position, end: position + value.trimEnd().length });
				position += value.length + 1;
			});
		start = end + 1;
	}
	return start;
}

function readRows(
	text: string,
	from: number,
	classes: readonly KeyClass[],
	spans: Span[],
	deadline: Deadline,
): number {
	let position = from;
	for (;;) {
		deadline.check();
		position = readRow(text, position + 1, classes, spans);
		const between = matchAt(BETWEEN_ROWS, text, position);
		if (between === null) break;
		position += between[0].length;
	}
	return position;
}

/** Returns where the row ends. */
function readRow(text: string, from: number, classes: readonly KeyClass[], spans: Span[]): number {
	let position = from;
	for (let column = 0; column < MAXIMUM_COLUMNS; column += 1) {
		const value = matchAt(ROW_VALUE, text, position);
		if (value === null) break;
		const content = value[1] ?? value[2];
		const keyClass = classes[column] ?? "none";
		if (content !== undefined && keyClass !== "weak" && isSecretValue(content, keyClass, "quoted")) {
			const start = position + value[0].indexOf(content);
			spans.push({ start, end: start + content.length });
		}
		position += value[0].length;
		if (text[position] !== ",") break;
		position += 1;
	}
	return position;
}
