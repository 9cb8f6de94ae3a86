import {
	DOCUMENT_FORMATS,
	type DocumentFormat,
	extensionOf,
	isCompoundFile,
	looksLikeText,
	mediaTypeOf,
	OFFICE_TYPE_PREFIXES,
	OLD_FORMATS,
} from "@deputize/documents";

export type ContentKind = "html" | "feed" | "json" | "text" | "document" | "binary";

/** Formats with a reader that a page fetch does not need: it shows text as it is, and pictures not at all. */
const SHOWN_DIRECTLY: ReadonlySet<string> = new Set<DocumentFormat>([
	"html",
	"csv",
	"tsv",
	"svg",
	"png",
	"jpeg",
	"gif",
	"webp",
	"text",
]);
const DOCUMENT_NAMES = Object.entries({ ...DOCUMENT_FORMATS, ...OLD_FORMATS })
	.filter(([format]) => !SHOWN_DIRECTLY.has(format))
	.map(([, names]) => names);
const DOCUMENT_EXTENSIONS = new Set<string>(DOCUMENT_NAMES.flatMap(({ extensions }) => extensions));
const DOCUMENT_TYPES = new Set<string>(DOCUMENT_NAMES.flatMap(({ mediaTypes }) => mediaTypes));
const HTML_TYPES = new Set<string>(DOCUMENT_FORMATS.html.mediaTypes);

/** Servers that do not know say one of these. */
const VAGUE_TYPES = new Set([
	"",
	"application/octet-stream",
	"binary/octet-stream",
	"text/plain",
	"application/json",
]);
const BINARY_WINDOW = 4096;

/** Compressed and media files; the others that matter here have a zero byte early on. */
const MEDIA_STARTS = ["\x89PNG", "GIF8", "\xff\xd8\xff", "\x1f\x8b", "\x7fELF", "7z\xbc\xaf", "\xfd7zXZ"];

/** What to do with a body. Content is believed before the header, and the header before the address. */
export function detectContentKind(bytes: Uint8Array, contentType: string, url: string): ContentKind {
	const magic = detectByMagic(bytes);
	if (magic !== undefined) return magic;
	const type = mediaTypeOf(contentType);
	const extension = extensionOf({ fileName: URL.parse(url)?.pathname ?? "" });
	if (isDocumentType(type)) return "document";
	if (VAGUE_TYPES.has(type) && DOCUMENT_EXTENSIONS.has(extension)) return "document";
	if (!looksLikeText(bytes.subarray(0, BINARY_WINDOW))) return "binary";
	return detectText(bytes, type);
}

function isDocumentType(type: string): boolean {
	return DOCUMENT_TYPES.has(type) || OFFICE_TYPE_PREFIXES.some((prefix) => type.startsWith(prefix));
}

function detectByMagic(bytes: Uint8Array): ContentKind | undefined {
	const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16));
	const head = start.toString("latin1");
	if (head.startsWith("%PDF-") || head.startsWith("{\\rtf") || head.startsWith("PK\x03\x04"))
		return "document";
	if (isCompoundFile(start)) return "document";
	return MEDIA_STARTS.some((signature) => head.startsWith(signature)) ? "binary" : undefined;
}

function detectText(bytes: Uint8Array, type: string): ContentKind {
	const start = new TextDecoder("latin1")
		.decode(bytes.subarray(0, 1024))
		.replace(/^\xef\xbb\xbf/, "")
		.trimStart();
	const lower = start.slice(0, 600).toLowerCase();
	const isFeedRoot =
		/^(?:<\?xml|<!--|<rss|<feed|<rdf:rdf)/.test(lower) && /<(?:rss|feed|rdf:rdf)[\s>]/.test(lower);
	if (isFeedRoot || /^application\/(?:rss|atom|rdf)\+xml/.test(type)) return "feed";
	if (HTML_TYPES.has(type)) return "html";
	if (/^<!doctype html|^<html[\s>]/.test(lower)) return type === "text/plain" ? "text" : "html";
	return type === "application/json" || type.endsWith("+json") ? "json" : "text";
}
