import { extname } from "node:path";

export type ContentKind = "html" | "feed" | "json" | "text" | "document" | "binary";

const DOCUMENT_EXTENSIONS = new Set(
	".pdf .docx .doc .pptx .ppt .xlsx .xls .odt .ods .odp .epub .rtf .ipynb .eml .msg .zip".split(" "),
);
const DOCUMENT_TYPES =
	/^application\/(?:pdf|msword|rtf|epub\+zip|zip|x-zip-compressed|x-ipynb\+json|vnd\.(?:ms-|oasis\.|openxmlformats))|^text\/rtf|^message\/rfc822/;
const TEXT_TYPES =
	/^text\/|^application\/(?:xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|x-sh|x-httpd-php|sql|graphql|x-tex|x-ndjson|jsonl)|\+xml$|\+yaml$/;

/** Compressed and media files; the others that matter here have a zero byte early on. */
const MEDIA_STARTS = ["\x89PNG", "GIF8", "\xff\xd8\xff", "\x1f\x8b", "\x7fELF", "7z\xbc\xaf", "\xfd7zXZ"];

/** What to do with a body. Content is believed before the header, and the header before the address. */
export function detectContentKind(bytes: Uint8Array, contentType: string, url: string): ContentKind {
	const magic = detectByMagic(bytes);
	if (magic !== undefined) return magic;
	const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
	const extension = extname(URL.parse(url)?.pathname ?? "").toLowerCase();
	if (DOCUMENT_TYPES.test(type)) return "document";
	if (isVague(type) && DOCUMENT_EXTENSIONS.has(extension)) return "document";
	if (looksBinary(bytes)) return "binary";
	return detectText(bytes, type);
}

/** Servers that do not know say one of these. */
function isVague(type: string): boolean {
	return (
		type === "" ||
		type === "application/octet-stream" ||
		type === "binary/octet-stream" ||
		type === "text/plain" ||
		type === "application/json"
	);
}

function detectByMagic(bytes: Uint8Array): ContentKind | undefined {
	const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString("latin1");
	if (head.startsWith("%PDF-") || head.startsWith("{\\rtf") || head.startsWith("PK\x03\x04"))
		return "document";
	if (head.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return "document";
	return MEDIA_STARTS.some((start) => head.startsWith(start)) ? "binary" : undefined;
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
	if (type === "text/html" || type === "application/xhtml+xml") return "html";
	if (/^<!doctype html|^<html[\s>]/.test(lower)) return type === "text/plain" ? "text" : "html";
	if (type === "application/json" || type.endsWith("+json")) return "json";
	if (TEXT_TYPES.test(type)) return "text";
	return "text";
}

function looksBinary(bytes: Uint8Array): boolean {
	const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	return !isUtf16 && bytes.subarray(0, 4096).includes(0);
}
