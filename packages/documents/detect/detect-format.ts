import type { DocumentHint } from "../converted-document.ts";
import type { DocumentFormat } from "../document-format.ts";
import { detectCompoundFile, isCompoundFile } from "./detect-compound-file.ts";
import { detectTextFormat } from "./detect-text-format.ts";
import { detectZipFormat } from "./detect-zip-format.ts";
import { refuseUnknown } from "./refuse-unknown.ts";

/** PDF readers accept garbage before the header, and some mailers put it there. */
const PDF_HEADER_WINDOW = 1024;

/**
 * What the bytes are; the name and the content type only decide between kinds of text. Throws `ConversionError`
 * when there is no reader.
 */
export function detectFormat(bytes: Uint8Array, hint: DocumentHint): DocumentFormat {
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const head = file.subarray(0, PDF_HEADER_WINDOW);
	return (
		detectImageFormat(head) ??
		(head.includes("%PDF-") ? "pdf" : undefined) ??
		(head.toString("latin1", 0, 5) === "{\\rtf" ? "rtf" : undefined) ??
		(isZip(head) ? detectZipFormat(file, hint) : undefined) ??
		(isCompoundFile(head) ? detectCompoundFile(file) : undefined) ??
		detectTextFormat(file, hint) ??
		refuseUnknown(head, hint)
	);
}

/** A local file, an empty archive, or a spanned one. */
function isZip(head: Buffer): boolean {
	return ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"].includes(head.toString("latin1", 0, 4));
}

function detectImageFormat(head: Buffer): DocumentFormat | undefined {
	const start = head.toString("latin1", 0, 12);
	if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
	if (start.startsWith("\xff\xd8\xff")) return "jpeg";
	if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "gif";
	return start.startsWith("RIFF") && start.endsWith("WEBP") ? "webp" : undefined;
}
