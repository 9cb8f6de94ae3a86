const TABLE = "<table:table ";
const TABLE_END = "</table:table>";
const ROW = "<table:table-row";
/** Rows in groups, or a table within a cell: cutting there would leave elements open. */
const NESTED = ["</table:table-row-group>", "</table:table-rows>", "</table:table-header-rows>", TABLE];

/**
 * Cuts every table of a spreadsheet's content part after the first so many rows, before a parser sees them; see
 * `trimSheetRows`. `droppedRows` has one count for each table. A table that cannot be cut cleanly stays whole.
 */
export function trimOpenDocumentRows(xml: Buffer, maxRows: number): { xml: Buffer; droppedRows: number[] } {
	const kept: Buffer[] = [];
	const droppedRows: number[] = [];
	let from = 0;
	for (let start = xml.indexOf(TABLE); start !== -1; start = xml.indexOf(TABLE, from)) {
		const end = xml.indexOf(TABLE_END, start);
		if (end === -1) break;
		const { cut, rows } = findCut(xml, start, end, maxRows);
		const removable = cut !== -1 && NESTED.every((mark) => !xml.subarray(cut, end).includes(mark));
		droppedRows.push(removable ? rows - maxRows : 0);
		kept.push(xml.subarray(from, removable ? cut : end), xml.subarray(end, end + TABLE_END.length));
		from = end + TABLE_END.length;
	}
	return { xml: Buffer.concat([...kept, xml.subarray(from)]), droppedRows };
}

function findCut(xml: Buffer, start: number, end: number, maxRows: number): { cut: number; rows: number } {
	let rows = 0;
	let cut = -1;
	for (let at = xml.indexOf(ROW, start); at !== -1 && at < end; at = xml.indexOf(ROW, at + ROW.length)) {
		if (xml[at + ROW.length] === "-".charCodeAt(0)) continue;
		rows += 1;
		if (rows === maxRows + 1) cut = at;
	}
	return { cut, rows };
}
