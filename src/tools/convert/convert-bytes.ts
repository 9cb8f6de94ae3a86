import { stripControlSequences } from "../../text/strip-control-sequences.ts";
import { damaged } from "./conversion-error.ts";
import { CONVERSION_LIMITS } from "./conversion-limits.ts";
import type { Conversion, ConvertedDocument, DocumentHint } from "./converted-document.ts";
import { detectFormat } from "./detect/detect-format.ts";
import type { DocumentFormat } from "./document-format.ts";

type Reader = (
	bytes: Buffer,
	hint: DocumentHint,
	pdfEngine: string | undefined,
) => ConvertedDocument | Promise<ConvertedDocument>;

/** Each reader is loaded when its format turns up: the libraries behind them are the slow part of a conversion. */
const READERS: Readonly<Record<DocumentFormat, () => Promise<Reader>>> = {
	pdf: async () => {
		const { readPdf } = await import("./pdf/read-pdf.ts");
		return (bytes, _hint, pdfEngine) => readPdf(bytes, "auto", pdfEngine);
	},
	docx: async () => (await import("./formats/read-docx.ts")).readDocx,
	pptx: async () => (await import("./presentation/read-pptx.ts")).readPptx,
	xlsx: async () => (await import("./formats/read-spreadsheet.ts")).readExcelWorkbook,
	xls: async () => (await import("./formats/read-spreadsheet.ts")).readBinaryWorkbook,
	ods: async () => (await import("./formats/read-spreadsheet.ts")).readOpenDocumentSheets,
	odt: async () => (await import("./open-document/read-odt.ts")).readOdt,
	odp: async () => (await import("./open-document/read-odp.ts")).readOdp,
	epub: async () => (await import("./formats/read-epub.ts")).readEpub,
	rtf: async () => (await import("./rtf/read-rtf.ts")).readRtf,
	html: async () => (await import("./formats/read-html.ts")).readHtml,
	csv: async () => {
		const { readCsv } = await import("./formats/read-csv.ts");
		return (bytes, { contentType = "" }) => readCsv(bytes, contentType);
	},
	tsv: async () => {
		const { readCsv } = await import("./formats/read-csv.ts");
		return (bytes, { contentType = "" }) => readCsv(bytes, contentType, "\t");
	},
	ipynb: async () => (await import("./formats/read-notebook.ts")).readNotebook,
	eml: async () => (await import("./mail/read-mail.ts")).readMail,
	zip: async () => (await import("./formats/read-zip-listing.ts")).readZipListing,
	png: imageReader("png"),
	jpeg: imageReader("jpeg"),
	gif: imageReader("gif"),
	webp: imageReader("webp"),
	svg: async () => (await import("./image/read-svg.ts")).readSvg,
	text: async () => (await import("./formats/read-plain-text.ts")).readPlainText,
};

function imageReader(format: "png" | "jpeg" | "gif" | "webp"): () => Promise<Reader> {
	return async () => {
		const { readImage } = await import("./image/read-image.ts");
		return (bytes) => readImage(bytes, format);
	};
}

/**
 * Bytes to Markdown, in this process. Throws `ConversionError`. Only the converter process and tests call it:
 * a hostile file may take all the time and memory of whoever runs this. `pdfEngine`: see `loadInspector`.
 */
export async function convertBytes(
	bytes: Uint8Array,
	hint: DocumentHint,
	pdfEngine?: string,
): Promise<Conversion> {
	if (bytes.byteLength === 0) throw damaged("The file is empty.");
	const format = detectFormat(bytes, hint);
	const read = await READERS[format]();
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const document = await read(file, hint, pdfEngine);
	const whole = stripControlSequences(document.markdown).toWellFormed();
	const limit = CONVERSION_LIMITS.maxMarkdownChars;
	const truncated = whole.length > limit;
	return {
		...document,
		markdown: truncated ? cutAtLine(whole, limit) : whole,
		truncated,
		metadata: { format, ...document.metadata, ...(truncated && { totalChars: whole.length }) },
	};
}

function cutAtLine(text: string, limit: number): string {
	const end = text.lastIndexOf("\n", limit);
	return text.slice(0, end > limit / 2 ? end : limit).toWellFormed();
}
