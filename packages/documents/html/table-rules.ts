import { collapseSpace } from "@deputize/ground";
import type TurndownService from "turndown";
import { asHtmlNode, attribute, childrenOf, closest, type HtmlNode } from "./html-node.ts";
import { readSpan, renderTable, type TableCell } from "./render-table.ts";

/**
 * Turndown hands a rule the finished text of all children at once. Noncharacters, taken out of the input before,
 * mark where a row and a cell begin, so that the table rule can take the text apart again.
 */
const ROW = "\uFDD0";
const CELL = "\uFDD1";
const END_OF_SPANS = "\uFDD2";
const MARKS = /[\uFDD0-\uFDD2]/g;

export function removeTableMarks(html: string): string {
	return html.replace(MARKS, "");
}

/**
 * A table that only places things on the page: it contains another table, has one cell, or puts line numbers
 * next to a code block. Its cells become paragraphs.
 */
function isLayoutTable(table: HtmlNode): boolean {
	return (
		Boolean(table.querySelector("table")) ||
		table.querySelectorAll("td, th").length < 2 ||
		(Boolean(table.querySelector("td.linenos, td.gutter, td.lineno, td.rouge-gutter")) &&
			Boolean(table.querySelector("pre")))
	);
}

function parseCells(row: string): TableCell[] {
	return row
		.split(CELL)
		.slice(1)
		.map((cell) => {
			const [spans = "", text = ""] = cell.split(END_OF_SPANS);
			const [columns = "", rows = ""] = spans.split(",");
			return { text, columns: readSpan(columns), rows: readSpan(rows) };
		});
}

function captionOf(table: HtmlNode): string {
	const caption = childrenOf(table).find((child) => child.nodeName === "CAPTION");
	return collapseSpace(caption?.textContent ?? "");
}

export type LayoutCheck = (table: HtmlNode | undefined) => boolean;

/** The answer is asked for once per cell; without the memory a large table is quadratic. */
export function createLayoutCheck(): LayoutCheck {
	const answers = new WeakMap<HtmlNode, boolean>();
	return (table) => {
		if (!table) return true;
		const known = answers.get(table) ?? isLayoutTable(table);
		answers.set(table, known);
		return known;
	};
}

export function addTableRules(service: TurndownService, isLayout: LayoutCheck): void {
	service.addRule("tableCell", {
		filter: ["td", "th"],
		replacement: (content, element) => {
			const node = asHtmlNode(element);
			if (isLayout(closest(node, ["TABLE"])))
				return /\b(linenos|gutter|lineno|rouge-gutter)\b/.test(node.className)
					? ""
					: `\n\n${content.trim()}\n\n`;
			return `${CELL}${attribute(node, "colspan")},${attribute(node, "rowspan")}${END_OF_SPANS}${content}`;
		},
	});
	service.addRule("tableRow", {
		filter: "tr",
		replacement: (content, element) =>
			isLayout(closest(asHtmlNode(element), ["TABLE"])) ? content : `${ROW}${content}`,
	});
	service.addRule("tableSection", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
	service.addRule("tableCaption", { filter: ["caption", "colgroup", "col"], replacement: () => "" });
	service.addRule("table", {
		filter: "table",
		replacement: (content, element) => {
			const table = asHtmlNode(element);
			const caption = captionOf(table);
			const body = isLayout(table)
				? content.trim()
				: renderTable(content.split(ROW).slice(1).map(parseCells));
			return `\n\n${caption ? `${caption}\n\n` : ""}${body}\n\n`;
		},
	});
}

/** Whether block code here would break a pipe table. */
export function isInDataCell(node: HtmlNode, isLayout: LayoutCheck): boolean {
	const cell = closest(node, ["TD", "TH"]);
	return cell !== undefined && !isLayout(closest(cell, ["TABLE"]));
}
