import { stripControlSequences } from "@deputize/ground";
import { damaged } from "./conversion-error.ts";
import { CONVERSION_LIMITS } from "./conversion-limits.ts";
import type { Conversion, ConvertedDocument, DocumentHint } from "./converted-document.ts";
import { detectFormat } from "./detect/detect-format.ts";
import type { DocumentFormat } from "./document-format.ts";
import type { LoadInspector } from "./pdf/read-pdf.ts";

type Reader = (
	bytes: Buffer,
	hint: DocumentHint,
	loadInspector: LoadInspector | undefined,
) => Promise<ConvertedDocument>;

/** Each reader is loaded when its format turns up: the libraries behind them are the slow part of a conversion. */
const READERS: Readonly<Record<DocumentFormat, Reader>> = {
	pdf: async (bytes, _, loadInspector) => (await import("./pdf/read-pdf.ts")).readPdf(bytes, loadInspector),
	docx: async (bytes) => (await import("./formats/read-docx.ts")).readDocx(bytes),
	pptx: async (bytes) => (await import("./presentation/read-pptx.ts")).readPptx(bytes),
	xlsx: async (bytes) => (await import("./formats/read-spreadsheet.ts")).readExcelWorkbook(bytes),
	xls: async (bytes) => (await import("./formats/read-spreadsheet.ts")).readBinaryWorkbook(bytes),
	ods: async (bytes) => (await import("./formats/read-spreadsheet.ts")).readOpenDocumentSheets(bytes),
	odt: async (bytes) => (await import("./open-document/read-odt.ts")).readOdt(bytes),
	odp: async (bytes) => (await import("./open-document/read-odp.ts")).readOdp(bytes),
	epub: async (bytes) => (await import("./formats/read-epub.ts")).readEpub(bytes),
	rtf: async (bytes) => (await import("./rtf/read-rtf.ts")).readRtf(bytes),
	html: async (bytes, hint) => (await import("./formats/read-html.ts")).readHtml(bytes, hint),
	csv: async (bytes, { contentType = "" }) =>
		(await import("./formats/read-csv.ts")).readCsv(bytes, contentType),
	tsv: async (bytes, { contentType = "" }) =>
		(await import("./formats/read-csv.ts")).readCsv(bytes, contentType, "\t"),
	ipynb: async (bytes) => (await import("./formats/read-notebook.ts")).readNotebook(bytes),
	eml: async (bytes) => (await import("./mail/read-mail.ts")).readMail(bytes),
	zip: async (bytes) => (await import("./formats/read-zip-listing.ts")).readZipListing(bytes),
	png: async (bytes) => (await import("./image/read-image.ts")).readImage(bytes, "png"),
	jpeg: async (bytes) => (await import("./image/read-image.ts")).readImage(bytes, "jpeg"),
	gif: async (bytes) => (await import("./image/read-image.ts")).readImage(bytes, "gif"),
	webp: async (bytes) => (await import("./image/read-image.ts")).readImage(bytes, "webp"),
	svg: async (bytes) => (await import("./image/read-svg.ts")).readSvg(bytes),
	text: async (bytes, hint) => (await import("./formats/read-plain-text.ts")).readPlainText(bytes, hint),
};

/**
 * Bytes to Markdown, in this process. Throws `ConversionError`. Only the converter process and tests call it:
 * a hostile file may take all the time and memory of whoever runs this.
 */
export async function convertBytes(
	bytes: Uint8Array,
	hint: DocumentHint,
	loadInspector?: LoadInspector,
): Promise<Conversion> {
	if (bytes.byteLength === 0) throw damaged("The file is empty.");
	const format = detectFormat(bytes, hint);
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const { metadata, ...document } = await READERS[format](file, hint, loadInspector);
	return boundDocument({ ...document, metadata: { format, ...metadata } });
}

/** A document as it may leave the converter. */
export function boundDocument(document: ConvertedDocument): Conversion {
	const whole = stripControlSequences(document.markdown).toWellFormed();
	const limit = CONVERSION_LIMITS.maxMarkdownChars;
	const truncated = whole.length > limit;
	return {
		...document,
		markdown: truncated ? cutAtLine(whole, limit) : whole,
		truncated,
		metadata: { ...document.metadata, ...(truncated && { totalChars: whole.length }) },
	};
}

function cutAtLine(text: string, limit: number): string {
	const end = text.lastIndexOf("\n", limit);
	return text.slice(0, end > limit / 2 ? end : limit).toWellFormed();
}
