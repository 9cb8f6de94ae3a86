import { readOds } from "hucre/ods";
import { readXls, readXlsx } from "hucre/xlsx";
import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { checkXmlBytes } from "../xml/check-xml-bytes.ts";
import { openArchive } from "../zip/open-archive.ts";
import { writeStoredZip } from "../zip/write-stored-zip.ts";
import { refuseEncryptedOpenDocument } from "./open-document-encryption.ts";
import { renderWorkbook } from "./render-workbook.ts";
import { trimOpenDocumentRows } from "./trim-open-document-rows.ts";
import { trimSheetRows } from "./trim-sheet-rows.ts";

/** Cells carry a value element each, so sheets need more elements than text documents. */
const MAX_SHEET_ELEMENTS = 3_000_000;
/** As many columns as are shown, A to GR, and rows. */
const NEAR_CORNER = `A1:GR${CONVERSION_LIMITS.maxRowsPerSheet}`;
const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const USED_BY_READER = /\.(xml|rels)$/;
/** Everything the tables do not show, and that would only cost memory. */
const NOT_SHOWN =
	/^(xl\/(drawings|charts|media|externalLinks|pivot|printerSettings|threadedComments)|customXml\/)/;

export async function readExcelWorkbook(bytes: Buffer): Promise<ConvertedDocument> {
	const archive = openArchive(bytes);
	const parts = new Map<string, Uint8Array>();
	const dropped = new Map<string, number>();
	for (const name of archive.names) {
		if (!USED_BY_READER.test(name) || NOT_SHOWN.test(name)) continue;
		const content = archive.read(name);
		if (!content) continue;
		const { xml, droppedRows } = WORKSHEET.test(name)
			? trimSheetRows(content, CONVERSION_LIMITS.maxRowsPerSheet)
			: { xml: content, droppedRows: 0 };
		checkXmlBytes(name, xml, MAX_SHEET_ELEMENTS);
		if (droppedRows > 0) dropped.set(name, droppedRows);
		parts.set(name, xml);
	}
	const zip = writeStoredZip(parts);
	let cut = false;
	const options = { readStyles: true, maxRows: CONVERSION_LIMITS.maxRowsPerSheet };
	const workbook = await parse(
		() => readXlsx(zip, options),
		() => {
			cut = true;
			return readXlsx(zip, { ...options, range: NEAR_CORNER });
		},
	);
	// Writers number worksheet parts in the order of the sheets. A wrong guess only misplaces a count of rows.
	const droppedRows = workbook.sheets.map(
		(_, index) => dropped.get(`xl/worksheets/sheet${index + 1}.xml`) ?? 0,
	);
	const document = renderWorkbook(workbook, droppedRows);
	if (!cut) return document;
	return { ...document, markdown: `${document.markdown}\n\n*(cells outside ${NEAR_CORNER} not shown)*` };
}

export async function readOpenDocumentSheets(bytes: Buffer): Promise<ConvertedDocument> {
	const archive = openArchive(bytes);
	refuseEncryptedOpenDocument(archive);
	const parts = new Map<string, Uint8Array>();
	let dropped: readonly number[] = [];
	for (const name of ["mimetype", "content.xml", "styles.xml", "meta.xml"]) {
		const content = archive.read(name);
		if (!content) continue;
		const trimmed =
			name === "content.xml" ? trimOpenDocumentRows(content, CONVERSION_LIMITS.maxRowsPerSheet) : undefined;
		dropped = trimmed?.droppedRows ?? dropped;
		const part = trimmed?.xml ?? content;
		if (name !== "mimetype") checkXmlBytes(name, part, MAX_SHEET_ELEMENTS);
		parts.set(name, part);
	}
	return renderWorkbook(await parse(() => readOds(writeStoredZip(parts), { readStyles: true })), dropped);
}

/** Workbooks of Excel 97 to 2003. */
export async function readBinaryWorkbook(bytes: Uint8Array): Promise<ConvertedDocument> {
	return renderWorkbook(await parse(() => readXls(bytes)));
}

/** The library refuses a sheet whose cells lie so far apart that the grid between them would fill the memory. */
const TOO_FAR_APART = /over the \d+ limit/;

async function parse<Value>(read: () => Promise<Value>, readNear?: () => Promise<Value>): Promise<Value> {
	try {
		return await read();
	} catch (error) {
		const { message } = error as Error;
		if (!TOO_FAR_APART.test(message)) throw damaged(`The workbook cannot be read: ${message}`);
		if (!readNear) throw unsafe("The cells of a sheet lie so far apart that it cannot be shown as a table.");
		return await parse(readNear);
	}
}
