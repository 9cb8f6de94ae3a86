import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { XmlElement, XmlNode } from "../xml/parse-xml.ts";
import { childElements, isElement } from "../xml/xml-element.ts";
import type { DocumentStyles } from "./read-styles.ts";
import { type RenderState, renderFrame, renderInline } from "./render-inline.ts";

interface ListPlace {
	readonly level: number;
	readonly style: string;
}

const TOP: ListPlace = { level: 0, style: "" };
/** A table of contents repeats the headings; change records contain text that was deleted. */
const SKIPPED = new Set([
	"text:table-of-content",
	"text:tracked-changes",
	"presentation:notes",
	"office:forms",
	"text:sequence-decls",
	"svg:title",
	"svg:desc",
]);
const CODE_PARAGRAPHS = new Set(["Preformatted_20_Text", "Preformatted_Text", "Source_20_Code"]);
const QUOTE_PARAGRAPHS = new Set(["Quotations", "Block_20_Text"]);

/** The text of a body as HTML, its footnotes at the end. */
export function renderOpenDocument(nodes: readonly XmlNode[], styles: DocumentStyles): string {
	const notes: string[] = [];
	const state: RenderState = { styles, notes, renderBlocks: (inner) => renderNodes(inner, state, TOP) };
	const body = state.renderBlocks(nodes);
	const list = notes.map((note, index) => `<li id="footnote-${index + 1}">${note}</li>`);
	return list.length > 0 ? `${body}<ol>${list.join("")}</ol>` : body;
}

/**
 * Writers store every line of code, every quoted paragraph and, in slides, every bullet as a separate block, and
 * a nested bullet as an item that contains only a list. Joined, they read as they look.
 */
function renderNodes(nodes: readonly XmlNode[], state: RenderState, place: ListPlace): string {
	return nodes
		.filter(isElement)
		.map((element) => renderBlock(element, state, place))
		.join("\n")
		.replaceAll("</pre>\n<pre>", "\n")
		.replaceAll("</blockquote>\n<blockquote>", "\n")
		.replaceAll("</ul>\n<ul>", "")
		.replace(/<\/li><li>(?=<[uo]l[ >])/g, "");
}

type RenderBlock = (element: XmlElement, state: RenderState, place: ListPlace) => string;

const RENDERERS: Readonly<Record<string, RenderBlock>> = {
	"text:h": renderHeading,
	"text:p": renderParagraph,
	"text:list": renderList,
	"table:table": renderTextTable,
	"draw:frame": renderFrame,
};

function renderBlock(element: XmlElement, state: RenderState, place: ListPlace): string {
	if (SKIPPED.has(element.name)) return "";
	const render = RENDERERS[element.name];
	return render ? render(element, state, place) : renderNodes(element.children, state, place);
}

function renderHeading(element: XmlElement, state: RenderState): string {
	const level = Math.min(6, Math.max(1, Number(element.attributes["text:outline-level"]) || 1));
	return `<h${level}>${renderInline(element.children, state)}</h${level}>`;
}

function renderParagraph(element: XmlElement, state: RenderState): string {
	const names = state.styles.paragraphNames(element.attributes["text:style-name"] ?? "");
	const html = renderInline(element.children, state).replace(/^(?:<br>)+|(?:<br>)+$/g, "");
	if (names.some((name) => CODE_PARAGRAPHS.has(name))) return `<pre>${html.replaceAll("\u00A0", " ")}</pre>`;
	if (html.trim() === "") return "";
	if (names.includes("Title")) return `<h1>${html}</h1>`;
	const paragraph = `<p>${html}</p>`;
	return names.some((name) => QUOTE_PARAGRAPHS.has(name))
		? `<blockquote>${paragraph}</blockquote>`
		: paragraph;
}

function renderList(element: XmlElement, state: RenderState, place: ListPlace): string {
	const inner = { level: place.level + 1, style: element.attributes["text:style-name"] ?? place.style };
	const items = childElements(element).filter(
		({ name }) => name === "text:list-item" || name === "text:list-header",
	);
	// Numbered headings are stored as list items that contain nothing but the heading.
	if (items.every(isHeadingItem))
		return items.map((item) => renderNodes(item.children, state, inner)).join("\n");
	const tag = state.styles.isOrdered(inner.style, inner.level) ? "ol" : "ul";
	const start = items[0]?.attributes["text:start-value"];
	const body = items.map((item) => `<li>${unwrapOnly(renderNodes(item.children, state, inner))}</li>`);
	return `<${tag}${start ? ` start="${Number(start) || 1}"` : ""}>${body.join("")}</${tag}>`;
}

function isHeadingItem(item: XmlElement): boolean {
	const inner = childElements(item);
	return (
		inner.length > 0 &&
		inner.every(({ name }) => name === "text:h" || name === "text:list") &&
		holdsHeading(item)
	);
}

function holdsHeading(element: XmlElement): boolean {
	return (
		childElements(element).some(({ name }) => name === "text:h") || childElements(element).some(holdsHeading)
	);
}

/** A first paragraph wrapped in `<p>` would make every list loose. */
function unwrapOnly(html: string): string {
	const match = /^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>((?:\n<[uo]l[\s\S]*)?)$/.exec(html.trim());
	return match ? `${match[1]}${match[2]}` : html;
}

function renderTextTable(table: XmlElement, state: RenderState): string {
	const rows = collectRows(table).slice(0, CONVERSION_LIMITS.maxRowsPerSheet);
	return `<table>${rows.map((row) => `<tr>${renderCells(row, state)}</tr>`).join("")}</table>`;
}

/** Rows are in header groups and row groups as well as directly in the table. */
function collectRows(element: XmlElement): XmlElement[] {
	return childElements(element).flatMap((child) => {
		if (child.name === "table:table-row") return [child];
		return child.name.startsWith("table:table-") && child.name.includes("row") ? collectRows(child) : [];
	});
}

function renderCells(row: XmlElement, state: RenderState): string {
	return childElements(row, "table:table-cell")
		.map((cell) => {
			const columns = cell.attributes["table:number-columns-spanned"] ?? "1";
			const rows = cell.attributes["table:number-rows-spanned"] ?? "1";
			const html = `<td colspan="${columns}" rowspan="${rows}">${renderNodes(cell.children, state, TOP)}</td>`;
			const repeat = Number(cell.attributes["table:number-columns-repeated"] ?? 1) || 1;
			return html.repeat(Math.min(repeat, CONVERSION_LIMITS.maxColumnsPerSheet));
		})
		.join("");
}
