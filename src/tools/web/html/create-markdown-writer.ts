import { strikethrough, taskListItems } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { findCodeLanguage } from "./find-code-language.ts";
import { markCell, markRow, removeTableMarks, renderTable } from "./render-table.ts";

/** The part of turndown's nodes that the rules look at. */
interface RuleNode {
	readonly nodeName: string;
	readonly textContent: string | null;
	readonly className: string;
	readonly innerHTML: string;
	readonly parentNode: RuleNode | null;
	readonly firstChild: RuleNode | null;
	readonly previousSibling: RuleNode | null;
	readonly childNodes: ArrayLike<RuleNode>;
	getAttribute(name: string): string | null;
	/** Undefined, not null, when nothing is found. */
	querySelector(selector: string): RuleNode | null | undefined;
	querySelectorAll(selector: string): ArrayLike<RuleNode>;
}

type Replacement = (content: string, node: RuleNode) => string;

const PERMALINK_TEXT = /^[\s¶#§🔗⚓]*$/u;

/**
 * HTML to Markdown for a reader that is a model: fences for every code block whatever its markup, tables, no
 * permalink signs, and text without escapes that only a renderer would need.
 */
export function createMarkdownWriter(): (html: string) => string {
	const service = new TurndownService({
		headingStyle: "atx",
		hr: "---",
		bulletListMarker: "-",
		codeBlockStyle: "fenced",
		emDelimiter: "*",
	});
	service.use([strikethrough, taskListItems]);
	service.remove(["script", "style", "noscript", "template", "iframe"]);
	service.escape = escapeLineStart;
	const addRule = (name: string, matches: (node: RuleNode) => boolean, replacement: Replacement) =>
		service.addRule(name, {
			filter: (node) => matches(node as unknown as RuleNode),
			replacement: (content, node) => replacement(content, node as unknown as RuleNode),
		});
	addRule(
		"codeBlock",
		(node) => node.nodeName === "PRE",
		(_content, node) => renderCodeBlock(node),
	);
	addRule("permalink", isPermalink, () => "");
	addRule("typewriter", isTypewriter, (content) => renderInlineCode(content));
	addRule(
		"unlinked",
		(node) => node.nodeName === "A" && !node.getAttribute("href"),
		(content) => content,
	);
	addRule("listItem", (node) => node.nodeName === "LI", renderListItem);
	addTableRules(addRule);
	return (html) => removeTableMarks(service.turndown(removeTableMarks(html)));
}

function addTableRules(
	addRule: (name: string, matches: (node: RuleNode) => boolean, replacement: Replacement) => void,
): void {
	// Asked for every cell, and looking into the whole table each time would be quadratic.
	const kinds = new WeakMap<RuleNode, boolean>();
	const isData = (node: RuleNode): boolean => {
		const table = findTable(node);
		if (!table) return false;
		const known = kinds.get(table);
		if (known !== undefined) return known;
		const found = isDataTable(table);
		kinds.set(table, found);
		return found;
	};
	addRule("tableCell", isCell, (content, node) =>
		isData(node)
			? markCell(content, node.getAttribute("colspan"), node.getAttribute("rowspan"))
			: `\n\n${content.trim()}\n\n`,
	);
	addRule(
		"tableRow",
		(node) => node.nodeName === "TR",
		(content, node) => (isData(node) ? markRow(content, isHeaderRow(node)) : content),
	);
	addRule("tableSection", isSection, (content) => content);
	addRule(
		"tableColumns",
		(node) => node.nodeName === "COLGROUP" || node.nodeName === "COL",
		() => "",
	);
	addRule(
		"tableCaption",
		(node) => node.nodeName === "CAPTION",
		(content, node) => (isData(node) ? "" : `\n\n${content.trim()}\n\n`),
	);
	addRule(
		"table",
		(node) => node.nodeName === "TABLE",
		(content, node) => {
			if (!isData(node)) return `\n\n${content.trim()}\n\n`;
			const caption = (node.querySelector("caption")?.textContent ?? "").replace(/\s+/g, " ").trim();
			return `\n\n${caption === "" ? "" : `${caption}\n\n`}${renderTable(content)}\n\n`;
		},
	);
}

/** Tables that lay out a page, and those with code of several lines in a cell, read better as blocks. */
function isDataTable(table: RuleNode): boolean {
	if (table.querySelector("table")) return false;
	if (table.querySelectorAll("td, th").length < 2) return false;
	return !Array.from(table.querySelectorAll("pre")).some((code) => readCode(code).trim().includes("\n"));
}

function findTable(node: RuleNode): RuleNode | null {
	let current: RuleNode | null = node;
	while (current !== null && current.nodeName !== "TABLE") current = current.parentNode;
	return current;
}

function isCell(node: RuleNode): boolean {
	return node.nodeName === "TD" || node.nodeName === "TH";
}

function isSection(node: RuleNode): boolean {
	return node.nodeName === "THEAD" || node.nodeName === "TBODY" || node.nodeName === "TFOOT";
}

function isHeaderRow(row: RuleNode): boolean {
	if (row.parentNode?.nodeName === "THEAD") return true;
	const cells = Array.from(row.childNodes).filter(isCell);
	return cells.length > 0 && cells.every((cell) => cell.nodeName === "TH");
}

function renderListItem(content: string, item: RuleNode): string {
	const list = item.parentNode;
	const isOrdered = list?.nodeName === "OL";
	const start = isOrdered ? Number.parseInt(list.getAttribute("start") ?? "1", 10) : 1;
	const position = isOrdered ? countItemsBefore(item) + (Number.isNaN(start) ? 1 : start) : 0;
	const bullet = isOrdered ? `${position}. ` : "- ";
	const body = content.trim().replaceAll("\n", `\n${" ".repeat(bullet.length)}`);
	return `${bullet}${body}\n`;
}

function countItemsBefore(item: RuleNode): number {
	let count = 0;
	for (let before = item.previousSibling; before !== null; before = before.previousSibling)
		if (before.nodeName === "LI") count += 1;
	return count;
}

function renderCodeBlock(node: RuleNode): string {
	const text = readCode(node).replace(/\s+$/, "");
	if (text.trim() === "") return "";
	const isInCell = isInsideOf(node, ["TD", "TH"]);
	if (isInCell && !text.includes("\n") && !text.includes("`")) return ` \`${text.trim()}\` `;
	let fence = "```";
	while (text.includes(fence)) fence += "`";
	return `\n\n${fence}${findCodeLanguage(node)}\n${text}\n${fence}\n\n`;
}

/** A line break inside a code block is an element on many pages, and `textContent` does not see it. */
function readCode(node: RuleNode): string {
	if (!node.querySelector("br")) return (node.textContent ?? "").replace(/^\n/, "");
	const text = node.innerHTML.replace(/<br\s{0,4}\/?>/gi, "\n").replace(/<[^<>]*>/g, "");
	return text
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&nbsp;", " ")
		.replaceAll("&amp;", "&");
}

function isPermalink(node: RuleNode): boolean {
	if (node.nodeName !== "A" || !PERMALINK_TEXT.test(node.textContent ?? "")) return false;
	if (node.querySelector("img")) return false;
	const href = node.getAttribute("href");
	return !href || href.includes("#");
}

function isTypewriter(node: RuleNode): boolean {
	return ["TT", "KBD", "SAMP"].includes(node.nodeName) && !isInsideOf(node, ["PRE", "CODE"]);
}

function isInsideOf(node: RuleNode, names: readonly string[]): boolean {
	for (let parent = node.parentNode; parent !== null; parent = parent.parentNode)
		if (names.includes(parent.nodeName)) return true;
	return false;
}

function renderInlineCode(content: string): string {
	const text = content.trim();
	return text === "" || text.includes("`") || text.includes("\n") || text.includes("](")
		? content
		: `\`${text}\``;
}

/** Only what would turn a paragraph into something else; a model reads `is_file` better than `is\_file`. */
function escapeLineStart(text: string): string {
	return text
		.replace(/^(\s{0,3})(#{1,6}\s|[-+*]\s|>)/, "$1\\$2")
		.replace(/^(\s{0,3}\d{1,9})([.)]\s)/, "$1\\$2");
}
