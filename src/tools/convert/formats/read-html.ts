import { decodeText } from "../../../charset/decode-text.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { markNotes } from "../html/mark-notes.ts";
import { measureHtmlDepth } from "../html/measure-html-depth.ts";
import { addNoteRules } from "../html/note-rules.ts";
import { type HtmlToMarkdownOptions, htmlToMarkdown } from "../html-to-markdown.ts";
import { decodeXmlEntities } from "../xml/decode-xml-entities.ts";

const TITLE = /<title[^>]*>([\s\S]{0,1000}?)<\/title>/i;

/** The whole page, not only its main article: a local file was chosen by somebody who wants all of it. */
export function readHtml(bytes: Uint8Array, contentType: string): ConvertedDocument {
	const { text, charset } = decodeText(bytes, contentType);
	const title = decodeXmlEntities(TITLE.exec(text)?.[1] ?? "")
		.replace(/\s+/g, " ")
		.trim();
	return {
		markdown: renderHtml(markNotes(text), { addRules: addNoteRules }),
		metadata: { charset },
		...(title && { title }),
	};
}

/** Markdown of a page that nobody vouches for: too deep or too long for a parser, it is read as plain text. */
export function renderHtml(html: string, options?: HtmlToMarkdownOptions): string {
	const tooMuch =
		html.length > CONVERSION_LIMITS.maxHtmlBytes ||
		measureHtmlDepth(html, CONVERSION_LIMITS.maxHtmlDepth) > CONVERSION_LIMITS.maxHtmlDepth;
	return tooMuch ? renderAsPlainText(html) : htmlToMarkdown(html, options);
}

function renderAsPlainText(html: string): string {
	const text = html
		.replace(/<(script|style|head|template|noscript)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, " ")
		.replace(/<\/?(?:p|div|br|li|tr|h[1-6]|section|article|table|ul|ol|pre)\b[^<>]*>/gi, "\n")
		.replace(/<[^<>]*>/g, " ");
	const lines = decodeXmlEntities(text)
		.split("\n")
		.map((line) => line.replace(/\s+/g, " ").trim());
	return `*(page too large or too deeply nested for Markdown: text only)*\n\n${lines.filter(Boolean).join("\n")}`;
}
