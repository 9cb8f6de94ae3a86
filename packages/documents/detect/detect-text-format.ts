import type { DocumentHint } from "../converted-document.ts";
import { extensionOf, mediaTypeOf } from "../converted-document.ts";
import { type DocumentFormat, indexFormats } from "../document-format.ts";
import { looksLikeText } from "./looks-like-text.ts";

const WINDOW = 8192;

/** Formats that are text themselves, where only a name can tell one from another. */
const TEXT_FORMATS = ["html", "csv", "tsv", "ipynb", "eml", "svg"] as const;
const BY_EXTENSION = indexFormats(TEXT_FORMATS, "extensions");
const BY_MEDIA_TYPE = indexFormats(TEXT_FORMATS, "mediaTypes");

const LOOKS_LIKE_HTML =
	/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;
const LOOKS_LIKE_SVG =
	/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*(?:<!doctype\s+svg[^>]*>\s*)?<(?:\w+:)?svg\b/i;
const LOOKS_LIKE_MAIL =
	/^(?:Return-Path|Received|Delivered-To|From|Message-ID|MIME-Version|X-[\w-]+): .*\r?\n/i;
const LOOKS_LIKE_NOTEBOOK = /^\s*\{[\s\S]*"(?:nbformat|cells|worksheets)"\s*:/;

/** Undefined when the bytes are not text. Contents decide first; name and type break the tie. */
export function detectTextFormat(file: Buffer, hint: DocumentHint): DocumentFormat | undefined {
	const head = file.subarray(0, WINDOW);
	if (!looksLikeText(head)) return undefined;
	const text = head.toString("latin1").replace(/^\xef\xbb\xbf/, "");
	if (LOOKS_LIKE_SVG.test(text)) return "svg";
	const claimed = BY_EXTENSION.get(extensionOf(hint)) ?? BY_MEDIA_TYPE.get(mediaTypeOf(hint.contentType));
	if (claimed === "ipynb" && !LOOKS_LIKE_NOTEBOOK.test(text)) return "text";
	if (claimed === "svg") return "text";
	if (claimed) return claimed;
	if (LOOKS_LIKE_HTML.test(text)) return "html";
	return LOOKS_LIKE_MAIL.test(text) && /^(?:Subject|Date): /im.test(text) ? "eml" : "text";
}
