import { collapseSpace, decodeText } from "@deputize/ground";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument, DocumentHint } from "../converted-document.ts";
import { findTreeObjection } from "../html/find-tree-objection.ts";
import { markNotes } from "../html/mark-notes.ts";
import { addNoteRules } from "../html/note-rules.ts";
import { type HtmlToMarkdownOptions, htmlToMarkdown } from "../html-to-markdown.ts";
import { decodeEntities } from "../markup/decode-entities.ts";
import { parsePlainPage } from "../markup/parse-plain-page.ts";

const TITLE = /<title[^>]*>([\s\S]{0,1000}?)<\/title>/i;

/** The whole page, not only its main article: a local file was chosen by somebody who wants all of it. */
export function readHtml(bytes: Uint8Array, { contentType }: DocumentHint): ConvertedDocument {
	const { text, charset } = decodeText(bytes, contentType);
	const title = collapseSpace(decodeEntities(TITLE.exec(text)?.[1] ?? ""));
	return {
		markdown: renderHtml(markNotes(text), { addRules: addNoteRules }),
		metadata: { charset },
		...(title && { title }),
	};
}

/** Markdown of a page that nobody vouches for: too deep or too long for a parser, it is read as plain text. */
export function renderHtml(html: string, options?: HtmlToMarkdownOptions): string {
	if (html.length <= CONVERSION_LIMITS.maxHtmlBytes && findTreeObjection(html) === undefined)
		try {
			return htmlToMarkdown(html, options);
		} catch (error) {
			// The parser recurses: some elements fill the stack below the depth that is allowed for all.
			if (!(error instanceof RangeError)) throw error;
		}
	return `*(page too large or too deeply nested for Markdown: text only)*\n\n${parsePlainPage(html).text}`;
}
