import { isTooDeep, parsePlainPage } from "@deputize/documents";
import { collapseSpace } from "@deputize/ground";
import type TurndownService from "turndown";
import type { ExtractionEngine } from "./extract-content.ts";

const MAX_TITLE_CHARS = 300;
const HAS_WORDS = /[\p{L}\p{N}]/u;

export interface ConvertedPage {
	readonly title: string;
	readonly markdown: string;
	readonly engine: ExtractionEngine | "plain";
	readonly needsScripts: boolean;
	readonly warning?: string;
}

/** HTML to Markdown in this thread. Slow and unbounded in time: run it through the page converter's worker. */
export async function convertPage(html: string, url: string): Promise<ConvertedPage> {
	if (isTooDeep(html))
		return toPlainPage(html, "The page is nested too deeply to keep its structure; this is its text only.");
	const { extractContent } = await import("./extract-content.ts");
	const { htmlToMarkdown } = await import("@deputize/documents");
	const { html: content, title, engine, needsScripts } = await extractContent(html, url);
	const markdown = htmlToMarkdown(content, { addRules: addPageLinkRule });
	return { title, markdown, engine, needsScripts };
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

export function toPlainPage(html: string, warning: string): ConvertedPage {
	const { title, text } = parsePlainPage(html);
	return {
		title: title.slice(0, MAX_TITLE_CHARS),
		markdown: text,
		engine: "plain",
		needsScripts: false,
		warning,
	};
}
