import type { DocumentHint } from "../converted-document.ts";
import type { DocumentFormat } from "../document-format.ts";
import { extensionOf } from "./file-extension.ts";

const WINDOW = 8192;

const BY_EXTENSION: Readonly<Record<string, DocumentFormat>> = {
	html: "html",
	htm: "html",
	xhtml: "html",
	csv: "csv",
	tsv: "tsv",
	tab: "tsv",
	ipynb: "ipynb",
	eml: "eml",
	mht: "eml",
	mhtml: "eml",
	svg: "svg",
};

const BY_CONTENT_TYPE: Readonly<Record<string, DocumentFormat>> = {
	"text/html": "html",
	"application/xhtml+xml": "html",
	"text/csv": "csv",
	"text/tab-separated-values": "tsv",
	"application/x-ipynb+json": "ipynb",
	"message/rfc822": "eml",
	"image/svg+xml": "svg",
};

const LOOKS_LIKE_HTML =
	/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;
const LOOKS_LIKE_SVG =
	/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*(?:<!doctype\s+svg[^>]*>\s*)?<(?:\w+:)?svg\b/i;
const LOOKS_LIKE_MAIL =
	/^(?:Return-Path|Received|Delivered-To|From|Message-ID|MIME-Version|X-[\w-]+): .*\r?\n/i;
const LOOKS_LIKE_NOTEBOOK = /^\s*\{[\s\S]*"(?:nbformat|cells|worksheets)"\s*:/;

/** Undefined when the bytes are not text. Contents decide first; name and type break the tie. */
export function detectTextFormat(bytes: Uint8Array, hint: DocumentHint): DocumentFormat | undefined {
	const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, WINDOW));
	if (!isText(head)) return undefined;
	const text = head.toString("latin1").replace(/^\xef\xbb\xbf/, "");
	if (LOOKS_LIKE_SVG.test(text)) return "svg";
	const contentType = (hint.contentType?.split(";")[0] ?? "").trim().toLowerCase();
	const claimed = BY_EXTENSION[extensionOf(hint)] ?? BY_CONTENT_TYPE[contentType];
	if (claimed === "ipynb" && !LOOKS_LIKE_NOTEBOOK.test(text)) return "text";
	if (claimed === "svg") return "text";
	if (claimed) return claimed;
	if (LOOKS_LIKE_HTML.test(text)) return "html";
	return LOOKS_LIKE_MAIL.test(text) && /^(?:Subject|Date): /im.test(text) ? "eml" : "text";
}

/** UTF-16 has zero bytes and a mark that says so; other text has none. */
function isText(head: Buffer): boolean {
	const mark = head.toString("latin1", 0, 2);
	return mark === "\xff\xfe" || mark === "\xfe\xff" || !head.includes(0);
}
