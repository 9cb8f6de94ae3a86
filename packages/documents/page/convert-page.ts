import { collapseSpace } from "@deputize/ground";
import type TurndownService from "turndown";
import type { ConvertedDocument, DocumentHint } from "../converted-document.ts";
import { findTreeObjection } from "../html/find-tree-objection.ts";
import { parsePlainPage } from "../markup/parse-plain-page.ts";

const MAX_TITLE_CHARS = 300;
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * The article of a page as Markdown, in this process; its metadata say what found it, whether the page needs scripts, and
 * what a reader has to know. A hostile page may take all the time and memory of whoever runs this: only the converter
 * process and tests do.
 */
export async function convertPage(
	html: string,
	{ pageUrl = "", plainBecause }: DocumentHint,
): Promise<ConvertedDocument> {
	if (plainBecause !== undefined) return toPlainPage(html, plainBecause);
	const objection = findTreeObjection(html);
	if (objection !== undefined) return toPlainPage(html, `The page ${objection}.`);
	const { extractContent } = await import("./extract-content.ts");
	const { htmlToMarkdown } = await import("../html-to-markdown.ts");
	try {
		const { html: content, title, engine, needsScripts } = await extractContent(html, pageUrl);
		const markdown = htmlToMarkdown(content, { addRules: addPageLinkRule });
		return { title, markdown, metadata: { engine, needsScripts } };
	} catch (error) {
		// The stack is full: parsers recurse, and some elements take more of it than others.
		if (error instanceof RangeError) return toPlainPage(html, "The page is nested too deeply.");
		throw error;
	}
}

/**
 * Keeps links to other places of the same page. In a document they lead nowhere; on a page they are its table of
 * contents and its cross references, and one can be followed with `findText`.
 */
function addPageLinkRule(service: TurndownService): void {
	service.addRule("pageLink", {
		filter: (node) =>
			node.nodeName === "A" &&
			(node.getAttribute("href") ?? "").startsWith("#") &&
			HAS_WORDS.test(node.textContent ?? ""),
		replacement: (content, node) => {
			const href = (node as unknown as { getAttribute(name: string): string }).getAttribute("href");
			const text = collapseSpace(content);
			return text === "" ? content : `[${text}](${href.replaceAll(" ", "%20")})`;
		},
	});
}

function toPlainPage(html: string, reason: string): ConvertedDocument {
	const { title, text } = parsePlainPage(html);
	const warning = `${reason} This is its text only, without structure.`;
	return { title: title.slice(0, MAX_TITLE_CHARS), markdown: text, metadata: { engine: "plain", warning } };
}
