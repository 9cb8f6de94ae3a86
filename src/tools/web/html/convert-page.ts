import { parsePlainPage } from "../../../markup/parse-plain-page.ts";
import { isTooDeep } from "../../convert/html/measure-html-depth.ts";
import type { ExtractionEngine } from "./extract-content.ts";

const MAX_TITLE_CHARS = 300;

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
	const { htmlToMarkdown } = await import("../../convert/html-to-markdown.ts");
	const { addPageLinkRule } = await import("./add-page-link-rule.ts");
	const { html: content, title, engine, needsScripts } = await extractContent(html, url);
	const markdown = htmlToMarkdown(content, { addRules: addPageLinkRule });
	return { title, markdown, engine, needsScripts };
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
