import { escapeHtml } from "../html/escape-html.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { child, childElements, descend, descendants, textOf } from "../xml/xml-element.ts";
import type { Relationship } from "./read-relationships.ts";
import { renderRuns, renderTextBody } from "./render-drawing-text.ts";

interface ShapeContext {
	readonly links: ReadonlyMap<string, Relationship>;
	/** A part the slide refers to, such as a chart; undefined when it is missing. */
	readPart(name: string): XmlElement | undefined;
}

const TITLE_TYPES = new Set(["title", "ctrTitle"]);
/** Footer, date and slide number repeat on every slide. */
const REPEATED_TYPES = new Set(["ftr", "dt", "sldNum", "hdr", "sldImg"]);
const BULLET_TYPES = new Set(["body", "obj", ""]);

/** Undefined for a shape that is no placeholder; the empty string for one without a type. */
export function placeholderType(shape: XmlElement): string | undefined {
	const placeholder = descend(shape, "p:nvSpPr", "p:nvPr", "p:ph");
	return placeholder && (placeholder.attributes["type"] ?? "");
}

export function isTitleShape(shape: XmlElement): boolean {
	return TITLE_TYPES.has(placeholderType(shape) ?? "none");
}

export function renderShapes(tree: XmlElement, context: ShapeContext): string {
	return childElements(tree)
		.map((shape) => RENDERERS[shape.name]?.(shape, context))
		.filter(Boolean)
		.join("\n");
}

const RENDERERS: Readonly<Record<string, (shape: XmlElement, context: ShapeContext) => string>> = {
	"p:sp": renderTextShape,
	"p:grpSp": renderShapes,
	"p:graphicFrame": renderGraphic,
	"p:pic": renderPicture,
};

function renderTextShape(shape: XmlElement, context: ShapeContext): string {
	const type = placeholderType(shape);
	if (isTitleShape(shape) || REPEATED_TYPES.has(type ?? "none")) return "";
	const body = child(shape, "p:txBody");
	return body ? renderTextBody(body, context.links, BULLET_TYPES.has(type ?? "none")) : "";
}

function renderPicture(picture: XmlElement): string {
	const description = descend(picture, "p:nvPicPr", "p:cNvPr")?.attributes["descr"] ?? "";
	return description ? `<p><img alt="${escapeHtml(description)}" src=""></p>` : "";
}

function renderGraphic(frame: XmlElement, context: ShapeContext): string {
	const data = descend(frame, "a:graphic", "a:graphicData");
	const table = child(data, "a:tbl");
	if (table) return renderSlideTable(table, context);
	const chart = child(data, "c:chart")?.attributes["r:id"];
	if (chart) return renderChart(context.readPart(context.links.get(chart)?.target ?? ""));
	const diagram = child(data, "dgm:relIds")?.attributes["r:dm"];
	return diagram ? renderDiagram(context.readPart(context.links.get(diagram)?.target ?? "")) : "";
}

function renderSlideTable(table: XmlElement, { links }: ShapeContext): string {
	const rows = childElements(table, "a:tr").map((row) => {
		const cells = childElements(row, "a:tc")
			.filter(({ attributes }) => attributes["hMerge"] !== "1" && attributes["vMerge"] !== "1")
			.map((cell) => {
				const lines = childElements(child(cell, "a:txBody") ?? cell, "a:p").map((line) =>
					renderRuns(line, links),
				);
				const { gridSpan = "1", rowSpan = "1" } = cell.attributes;
				return `<td colspan="${gridSpan}" rowspan="${rowSpan}">${lines.join("<br>")}</td>`;
			});
		return `<tr>${cells.join("")}</tr>`;
	});
	return `<table>${rows.join("")}</table>`;
}

/** The numbers behind a chart, as they were last stored: one row for each category, one column for each series. */
function renderChart(part: XmlElement | undefined): string {
	const series = descendants(part, "c:ser");
	if (series.length === 0) return "";
	const values = (element: XmlElement | undefined): string[] =>
		descendants(element, "c:v").map((value) => escapeHtml(textOf(value)));
	const names = series.map((entry) => values(child(entry, "c:tx")).join(" "));
	const categories = values(child(series[0], "c:cat"));
	const columns = series.map((entry) => values(child(entry, "c:val")));
	const height = Math.max(categories.length, ...columns.map((column) => column.length));
	const cell = (text = ""): string => `<td>${text}</td>`;
	const rows = Array.from(
		{ length: height },
		(_, index) =>
			`<tr>${cell(categories[index])}${columns.map((column) => cell(column[index])).join("")}</tr>`,
	);
	return `<table><tr>${cell("Chart")}${names.map(cell).join("")}</tr>${rows.join("")}</table>`;
}

function renderDiagram(part: XmlElement | undefined): string {
	const texts = descendants(part, "dgm:t").map((text) => textOf(text).trim());
	const items = texts.filter(Boolean).map((text) => `<li>${escapeHtml(text)}</li>`);
	return items.length > 0 ? `<ul>${items.join("")}</ul>` : "";
}
