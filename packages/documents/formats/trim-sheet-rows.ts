/**
 * Cuts the rows of a worksheet part after the first so many, before a parser sees them. A 100 MB sheet then costs
 * a scan instead of a tree, and the rows that are shown come out just the same.
 */
export function trimSheetRows(xml: Buffer, maxRows: number): { xml: Buffer; droppedRows: number } {
	const end = lastTag(xml, "sheetData>");
	let rows = 0;
	let cut = -1;
	for (const at of rowStarts(xml, end)) {
		rows += 1;
		if (rows === maxRows + 1) cut = at;
	}
	if (cut === -1) return { xml, droppedRows: 0 };
	return { xml: Buffer.concat([xml.subarray(0, cut), xml.subarray(end)]), droppedRows: rows - maxRows };
}

/** Where the last `</prefix:name` begins. */
function lastTag(xml: Buffer, name: string): number {
	const at = xml.lastIndexOf(name);
	const start = at === -1 ? -1 : xml.lastIndexOf("</", at);
	return start !== -1 && at - start <= MAX_PREFIX ? start : -1;
}

const MAX_PREFIX = 20;
const ROW = Buffer.from("row");
const SPACE = 0x20;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const COLON = 0x3a;

/** Tags named `row`, with or without a prefix. */
function* rowStarts(xml: Buffer, end: number): Generator<number> {
	for (let at = xml.indexOf(ROW); at !== -1 && at < end; at = xml.indexOf(ROW, at + ROW.length)) {
		const after = xml[at + ROW.length];
		if (after !== SPACE && after !== GREATER_THAN && after !== SLASH) continue;
		const start = tagStart(xml, at);
		if (start !== -1) yield start;
	}
}

function tagStart(xml: Buffer, nameStart: number): number {
	if (xml[nameStart - 1] === LESS_THAN) return nameStart - 1;
	if (xml[nameStart - 1] !== COLON) return -1;
	for (let at = nameStart - 2; at >= 0 && nameStart - at <= MAX_PREFIX; at -= 1) {
		if (xml[at] === LESS_THAN) return xml[at + 1] === SLASH ? -1 : at;
		if (xml[at] === SPACE || xml[at] === GREATER_THAN) return -1;
	}
	return -1;
}
