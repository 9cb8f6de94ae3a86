import { emphasize } from "../html/emphasize.ts";
import { escapeHtml } from "../html/escape-html.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { child, childElements, textOf } from "../xml/xml-element.ts";
import type { Relationship } from "./read-relationships.ts";

type Links = ReadonlyMap<string, Relationship>;

const MAX_LEVEL = 8;

/** The runs of one paragraph, with emphasis and links. */
export function renderRuns(paragraph: XmlElement, links: Links): string {
	return childElements(paragraph)
		.map((run) => {
			if (run.name === "a:br") return "<br>";
			if (run.name !== "a:r" && run.name !== "a:fld") return "";
			return renderTextRun(run, links);
		})
		.join("")
		.replace(/^(?:<br>)+|(?:<br>)+$/g, "");
}

function renderTextRun(run: XmlElement, links: Links): string {
	const properties = child(run, "a:rPr");
	const text = escapeHtml(textOf(child(run, "a:t")));
	if (text.trim() === "") return text;
	const { i, b } = properties?.attributes ?? {};
	const html = emphasize(text, { italic: i === "1", bold: b === "1" });
	const link = links.get(child(properties, "a:hlinkClick")?.attributes["r:id"] ?? "");
	return link?.external ? `<a href="${escapeHtml(link.target)}">${html}</a>` : html;
}

interface Line {
	readonly level: number;
	/** Undefined for a paragraph without bullet. */
	readonly list: "ul" | "ol" | undefined;
	readonly html: string;
}

/** The paragraphs of a shape. Body placeholders have bullets unless they say otherwise; other shapes do not. */
export function renderTextBody(body: XmlElement, links: Links, bulletsByDefault: boolean): string {
	const lines = childElements(body, "a:p")
		.map((paragraph) => readLine(paragraph, links, bulletsByDefault))
		.filter(({ html }) => html.trim() !== "");
	return renderListLines(lines);
}

function readLine(paragraph: XmlElement, links: Links, bulletsByDefault: boolean): Line {
	const properties = child(paragraph, "a:pPr");
	const level = Math.min(Number(properties?.attributes["lvl"] ?? 0) || 0, MAX_LEVEL);
	return {
		level,
		list: listKind(properties, bulletsByDefault || level > 0),
		html: renderRuns(paragraph, links),
	};
}

function listKind(properties: XmlElement | undefined, byDefault: boolean): "ul" | "ol" | undefined {
	if (child(properties, "a:buNone")) return undefined;
	if (child(properties, "a:buAutoNum")) return "ol";
	return child(properties, "a:buChar") || child(properties, "a:buBlip") || byDefault ? "ul" : undefined;
}

/** Nested lists out of a flat run of levels. */
function renderListLines(lines: readonly Line[]): string {
	const open: ("ul" | "ol")[] = [];
	let html = "";
	const closeTo = (depth: number): void => {
		while (open.length > depth) html += `</li></${open.pop()}>`;
	};
	for (const { level, list, html: text } of lines) {
		if (!list) {
			closeTo(0);
			html += `<p>${text}</p>`;
			continue;
		}
		closeTo(level + 1);
		if (open.length === level + 1 && open[level] !== list) closeTo(level);
		if (open.length === level + 1) html += "</li><li>";
		while (open.length <= level) {
			open.push(list);
			html += `<${list}><li>`;
		}
		html += text;
	}
	closeTo(0);
	return html;
}
