import { ConversionError } from "../conversion-error.ts";
import type { DocumentHint } from "../converted-document.ts";
import { extensionOf } from "../converted-document.ts";
import { type DocumentFormat, indexFormats } from "../document-format.ts";
import { readZipDirectory } from "../zip/read-zip-directory.ts";

const OPEN_DOCUMENT_FORMATS = ["odt", "ods", "odp"] as const;
const BY_MIMETYPE = [...indexFormats(["epub", ...OPEN_DOCUMENT_FORMATS], "mediaTypes")];
const BY_EXTENSION = indexFormats(OPEN_DOCUMENT_FORMATS, "extensions");

/** Office formats are archives; the names inside tell which. Anything else is listed as an archive. */
export function detectZipFormat(file: Buffer, hint: DocumentHint): DocumentFormat {
	const names = readZipDirectory(file).map(({ name }) => name);
	const has = (prefix: string): boolean => names.some((name) => name.startsWith(prefix));
	if (names.includes("[Content_Types].xml")) {
		if (names.includes("xl/workbook.bin"))
			throw new ConversionError(
				"UNSUPPORTED_FORMAT",
				"Binary Excel workbooks (.xlsb) are not read. Save it as .xlsx and convert that.",
			);
		if (has("word/")) return "docx";
		if (has("ppt/")) return "pptx";
		if (has("xl/")) return "xlsx";
	}
	const mimetype = readMimetype(file);
	const known = BY_MIMETYPE.find(([type]) => mimetype.startsWith(type))?.[1];
	if (known) return known;
	if (names.includes("META-INF/container.xml")) return "epub";
	const claimed = names.includes("content.xml") ? BY_EXTENSION.get(extensionOf(hint)) : undefined;
	return claimed ?? "zip";
}

/** Both OpenDocument and EPUB require the first entry to be an uncompressed `mimetype`. */
function readMimetype(file: Buffer): string {
	const head = file.toString("latin1", 0, 200);
	return head.slice(30, 38) === "mimetype" ? head.slice(38 + file.readUInt16LE(28)) : "";
}
