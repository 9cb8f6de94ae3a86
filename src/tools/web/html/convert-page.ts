import type { ExtractionEngine } from "./extract-content.ts";
import { renderPlainText } from "./render-plain-text.ts";
import { scanNesting } from "./scan-nesting.ts";

/** Deeper pages make tree walkers recurse into a stack overflow. */
const MAX_NESTING = 1000;

export interface ConvertedPage {
	readonly title: string;
	readonly markdown: string;
	readonly engine: ExtractionEngine | "plain";
	readonly needsScripts: boolean;
	readonly warning?: string;
}

/** HTML to Markdown in this thread. Slow and unbounded in time: run it through the page converter's worker. */
export async function convertPage(html: string, url: string): Promise<ConvertedPage> {
	if (scanNesting(html, MAX_NESTING) >= MAX_NESTING)
		return toPlainPage(html, "The page is nested too deeply to keep its structure; this is its text only.");
	const { extractContent } = await import("./extract-content.ts");
	const { createMarkdownWriter } = await import("./create-markdown-writer.ts");
	const content = await extractContent(html, url);
	const markdown = tidyMarkdown(createMarkdownWriter()(content.html));
	return { title: content.title, markdown, engine: content.engine, needsScripts: content.needsScripts };
}

/** For documents that are HTML inside (mails, e-books, office formats): everything is content, nothing is left out. */
export async function convertHtmlFragment(html: string): Promise<string> {
	if (scanNesting(html, MAX_NESTING) >= MAX_NESTING) return renderPlainText(html);
	const { createMarkdownWriter } = await import("./create-markdown-writer.ts");
	return tidyMarkdown(createMarkdownWriter()(html));
}

export function toPlainPage(html: string, warning: string): ConvertedPage {
	const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(html.slice(0, 20_000))?.[1]?.trim() ?? "";
	return { title, markdown: renderPlainText(html), engine: "plain", needsScripts: false, warning };
}

/** Blank lines in a row say nothing outside code; inside a fence they are part of the code. */
function tidyMarkdown(markdown: string): string {
	const lines: string[] = [];
	let fence = "";
	for (const line of markdown.split("\n")) {
		const mark = /^\s{0,12}(`{3,})/.exec(line)?.[1];
		if (mark !== undefined && (fence === "" || mark.length >= fence.length)) fence = fence === "" ? mark : "";
		const text = fence === "" ? line.trimEnd() : line;
		if (text !== "" || fence !== "" || lines.at(-1) !== "") lines.push(text);
	}
	return lines.join("\n").trim();
}
