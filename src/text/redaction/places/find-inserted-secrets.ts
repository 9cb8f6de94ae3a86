import { type Detector, type Hits, inAnyCase } from "../detector.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { classifyKey, type KeyClass } from "../judgement/classify-key.ts";
import type { Deadline, Span } from "../spans.ts";

/** `INSERT INTO users (name, password) VALUES ('ann', '…')`: the value whose column names a secret. */
export const INSERTED_SECRETS: Detector = {
	literals: inAnyCase(["insert into", "replace into"]),
	find: findInsertedSecrets,
};

export const INSERT =
	/(?:insert|replace) into\s{1,4}[\w."`[\]]{1,120}\s{0,4}\(([^()]{1,2000})\)\s{0,4}(?:output[^()]{0,80})?values\s{0,4}(?=\()/iy;
export const BETWEEN_ROWS = /\)\s{0,4},\s{0,40}(?=\()/y;
/** A string, doubled quotes included, or anything else up to the next comma. */
export const ROW_VALUE =
	/\s{0,40}(?:[NE]?'((?:[^'\\]|''|\\[\s\S]){0,2000})'|"([^"\n]{0,2000})"|([^,()'"]{0,400}(?:\([^()]{0,200}\))?))\s{0,40}/y;
const MAXIMUM_ROWS = 1_000;
const MAXIMUM_COLUMNS = 200;

function findInsertedSecrets(text: string, hits: Hits, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	let resumeAt = 0;
	for (const index of hits.indexes) {
		if (index < resumeAt) continue;
		INSERT.lastIndex = index;
		const insert = INSERT.exec(text);
		if (insert === null) continue;
		const classes = (insert[1] ?? "")
			.split(",")
			.map((column) => classifyKey(column.replace(/[\s"`[\]]/g, "")));
		resumeAt = readRows(text, index + insert[0].length, classes, spans, deadline);
	}
	return spans;
}

function readRows(
	text: string,
	from: number,
	classes: readonly KeyClass[],
	spans: Span[],
	deadline: Deadline,
): number {
	let position = from;
	for (let rows = 0; rows < MAXIMUM_ROWS; rows += 1) {
		deadline.check();
		position = readRow(text, position + 1, classes, spans);
		BETWEEN_ROWS.lastIndex = position;
		const between = BETWEEN_ROWS.exec(text);
		if (between === null) break;
		position += between[0].length;
	}
	return position;
}

/** Returns where the row ends. */
function readRow(text: string, from: number, classes: readonly KeyClass[], spans: Span[]): number {
	let position = from;
	for (let column = 0; column < MAXIMUM_COLUMNS; column += 1) {
		ROW_VALUE.lastIndex = position;
		const value = ROW_VALUE.exec(text);
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
