import { strikethrough, taskListItems } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { addCodeRules } from "./html/code-blocks.ts";
import { escapeMarkdown } from "./html/escape-markdown.ts";
import { addLinkRules } from "./html/link-rules.ts";
import { addTableRules, createLayoutCheck, removeTableMarks } from "./html/table-rules.ts";
import { addTextRules } from "./html/text-rules.ts";

export interface HtmlToMarkdownOptions {
	/** Relative addresses are resolved against it; without one they stay as they are. */
	readonly baseUrl?: string;
	/** More rules of the caller, which win over the shared ones. */
	readonly addRules?: (service: TurndownService) => void;
}

/**
 * HTML to Markdown with the rules every tool of this package shares. The caller bounds size and nesting first
 * (see `measureHtmlDepth`): the parser recurses.
 *
 * Takes a string on purpose. Turndown then parses it with its own DOM; the nodes of other DOMs lack parts the
 * rules look at, and tables vanish silently.
 */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions = {}): string {
	const service = new TurndownService({
		headingStyle: "atx",
		hr: "---",
		bulletListMarker: "-",
		codeBlockStyle: "fenced",
		emDelimiter: "*",
		br: "\\",
	});
	service.escape = escapeMarkdown;
	strikethrough(service);
	taskListItems(service);
	addTextRules(service);
	const isLayout = createLayoutCheck();
	addTableRules(service, isLayout);
	addCodeRules(service, isLayout);
	addLinkRules(service, options.baseUrl);
	options.addRules?.(service);
	return tidyMarkdown(service.turndown(removeTableMarks(html)));
}

/** Fenced code keeps its trailing blanks and blank lines; everywhere else they are left-overs of removed nodes. */
function tidyMarkdown(markdown: string): string {
	let fence = "";
	let blankLines = 0;
	const kept: string[] = [];
	for (const line of markdown.split("\n")) {
		const mark = /^\s*(`{3,})/.exec(line)?.[1] ?? "";
		if (fence === "") fence = mark;
		else if (mark.length >= fence.length && line.trim() === mark) fence = "";
		// A paragraph that is only a line break would leave just its backslash.
		const text = fence ? line : line.trimEnd().replace(/^\\$/, "");
		blankLines = text === "" && !fence ? blankLines + 1 : 0;
		if (blankLines <= 1) kept.push(text);
	}
	return kept.join("\n").trim();
}
