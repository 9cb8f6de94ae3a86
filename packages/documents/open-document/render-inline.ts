import { emphasize } from "../html/emphasize.ts";
import { escapeHtml } from "../html/escape-html.ts";
import type { XmlElement, XmlNode } from "../xml/parse-xml.ts";
import { child, isElement, textOf } from "../xml/xml-element.ts";
import type { DocumentStyles } from "./read-styles.ts";

export interface RenderState {
	readonly styles: DocumentStyles;
	/** Bodies of footnotes, in the order of their references. */
	readonly notes: string[];
	/** Paragraphs and lists inside frames and notes; supplied by the block renderer. */
	renderBlocks(nodes: readonly XmlNode[]): string;
}

const MAX_REPEATED_SPACES = 200;

/** Parts of a paragraph that are not its text. */
const IGNORED = new Set([
	"office:annotation",
	"office:annotation-end",
	"text:bookmark",
	"text:bookmark-start",
	"text:bookmark-end",
	"text:tracked-changes",
	"text:change-start",
	"text:change-end",
	"text:alphabetical-index-mark",
	"text:ruby-text",
	"svg:title",
	"svg:desc",
]);

export function renderInline(nodes: readonly XmlNode[], state: RenderState): string {
	return nodes.map((node) => (isElement(node) ? renderElement(node, state) : escapeHtml(node))).join("");
}

const RENDERERS: Readonly<Record<string, (element: XmlElement, state: RenderState) => string>> = {
	"text:s": (element) =>
		"\u00A0".repeat(Math.min(Number(element.attributes["text:c"] ?? 1) || 1, MAX_REPEATED_SPACES)),
	"text:tab": () => " ",
	"text:line-break": () => "<br>",
	"text:a": renderLink,
	"text:span": renderSpan,
	"text:note": renderNote,
	"draw:frame": renderFrame,
	"draw:a": (element, state) => renderInline(element.children, state),
};

function renderElement(element: XmlElement, state: RenderState): string {
	if (IGNORED.has(element.name)) return "";
	return RENDERERS[element.name]?.(element, state) ?? renderInline(element.children, state);
}

function renderLink(element: XmlElement, state: RenderState): string {
	const href = element.attributes["xlink:href"] ?? "";
	return `<a href="${escapeHtml(href)}">${renderInline(element.children, state)}</a>`;
}

function renderSpan(element: XmlElement, state: RenderState): string {
	const style = state.styles.textStyle(element.attributes["text:style-name"] ?? "");
	return emphasize(renderInline(element.children, state), style.code ? { code: true } : style);
}

function renderNote(element: XmlElement, state: RenderState): string {
	const number = state.notes.push("");
	state.notes[number - 1] = state.renderBlocks(child(element, "text:note-body")?.children ?? []);
	return `<a href="#footnote-${number}">${number}</a>`;
}

/** The description of a picture, or the text of a box. */
export function renderFrame(element: XmlElement, state: RenderState): string {
	const box = child(element, "draw:text-box");
	if (box) return state.renderBlocks(box.children);
	const table = child(element, "table:table");
	if (table) return state.renderBlocks([table]);
	const words = [child(element, "svg:title"), child(element, "svg:desc")].map((node) => textOf(node).trim());
	const description = words.filter(Boolean).join(": ");
	return child(element, "draw:image") && description ? `<img alt="${escapeHtml(description)}" src="">` : "";
}
