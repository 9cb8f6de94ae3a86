import { countLines, decodeText } from "@deputize/ground";
import { detectDelimiter, parseCsv } from "hucre/csv";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { renderRows } from "./render-rows.ts";

export function readCsv(bytes: Uint8Array, contentType: string, delimiter?: string): ConvertedDocument {
	const { text, charset } = decodeText(bytes, contentType);
	const separator = delimiter ?? detectDelimiter(text);
	const rows = parseCsv(text, {
		delimiter: separator,
		skipEmptyRows: true,
		// One more than is shown, so that a cut can be detected.
		maxRows: CONVERSION_LIMITS.maxRowsPerSheet + 1,
	});
	const cells = rows.map((row) => row.map((value) => String(value ?? "")));
	const moreRows = cells.length > CONVERSION_LIMITS.maxRowsPerSheet ? countRecords(text) - cells.length : 0;
	const view = renderRows(cells, Math.max(0, moreRows));
	return { markdown: view.markdown, metadata: { charset, delimiter: separator, rows: view.shownRows } };
}

/** Lines rather than records: exact unless a quoted field contains a line break, and it costs nothing. */
function countRecords(text: string): number {
	return countLines(text) - (text.endsWith("\n") ? 1 : 0);
}
