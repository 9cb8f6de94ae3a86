import { matchAt } from "@deputize/ground";
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

/** Takes the value of a column, and keeps what is a secret. */
type TakeValue = (content: string, start: number, column: number) => void;

function readInsertedSecrets(text: string, index: number, spans: Span[], deadline: Deadline): number {
	const insert = matchAt(INSERT, text, index);
	const statement = insert ?? matchAt(COPY, text, index);
	if (statement === null) return index;
	const classes = toClasses(statement[1] ?? "");
	const take: TakeValue = (content, start, column) => {
		const keyClass = classes[column] ?? "none";
		if (keyClass !== "weak" && isSecretValue(content, keyClass, "quoted"))
			spans.push({ start, end: start + content.length });
	};
	const start = index + statement[0].length;
	if (insert === null) return readCopiedRows(text, start, take, deadline);
	const end = readRows(text, start, take, deadline);
	const parameters = matchAt(PARAMETERS, text, end);
	if (parameters !== null) readRow(text, end + parameters[0].length, take);
	return end;
}

function toClasses(columns: string): readonly KeyClass[] {
	return columns.split(",").map((column) => classifyKey(column.replace(/[\s"`[\]]/g, "")));
}

/** Up to the line `\\.`, one row a line, tabs between its values. */
function readCopiedRows(text: string, from: number, take: TakeValue, deadline: Deadline): number {
	let start = from;
	while (start < text.length && !text.startsWith("\\.", start)) {
		deadline.check();
		const next = text.indexOf("\n", start);
		const end = next === -1 ? text.length : next;
		let position = start;
		for (const [column, value] of text.slice(start, end).split("\t").entries()) {
			take(value.trimEnd(), position, column);
			position += value.length + 1;
		}
		start = end + 1;
	}
	return start;
}

function readRows(text: string, from: number, take: TakeValue, deadline: Deadline): number {
	let position = from;
	for (;;) {
		deadline.check();
		position = readRow(text, position + 1, take);
		const between = matchAt(BETWEEN_ROWS, text, position);
		if (between === null) return position;
		position += between[0].length;
	}
}

/** Returns where the row ends. */
function readRow(text: string, from: number, take: TakeValue): number {
	let position = from;
	for (let column = 0; column < MAXIMUM_COLUMNS; column += 1) {
		const value = matchAt(ROW_VALUE, text, position);
		if (value === null) break;
		const content = value[1] ?? value[2];
		if (content !== undefined) take(content, position + value[0].indexOf(content), column);
		position += value[0].length;
		if (text[position] !== ",") break;
		position += 1;
	}
	return position;
}
