import { collapseSpace } from "@deputize/ground";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { readCoreProperties } from "../formats/office-properties.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { readOptionalXml, readXmlPart } from "../xml/read-xml-part.ts";
import { child, childElements, descend, descendants, textOf } from "../xml/xml-element.ts";
import { type Archive, openArchive } from "../zip/open-archive.ts";
import { PRESENTATION } from "./namespaces.ts";
import { readRelationships } from "./read-relationships.ts";
import { renderTextBody } from "./render-drawing-text.ts";
import { isTitleShape, placeholderType, renderShapes } from "./render-shapes.ts";
import { renderSlides, type Slide } from "./render-slides.ts";

const MAIN_PART = "ppt/presentation.xml";

export function readPptx(bytes: Buffer): ConvertedDocument {
	const archive = openArchive(bytes);
	const names = listSlides(archive);
	const slides = names.slice(0, CONVERSION_LIMITS.maxSlides).map((name) => readSlide(archive, name));
	const { title, ...metadata } = readCoreProperties(archive);
	return {
		markdown: htmlToMarkdown(renderSlides(slides, names.length)),
		metadata: { slides: names.length, ...metadata },
		...(title && { title }),
	};
}

/** In the order of the show, which is not the order of the part names. */
function listSlides(archive: Archive): string[] {
	const presentation = readXmlPart(archive, MAIN_PART, PRESENTATION);
	const relationships = readRelationships(archive, MAIN_PART);
	return descendants(presentation, "p:sldId")
		.map(({ attributes }) => relationships.get(attributes["r:id"] ?? "")?.target)
		.filter((target) => target !== undefined);
}

function readSlide(archive: Archive, name: string): Slide {
	const root = readXmlPart(archive, name, PRESENTATION);
	const links = readRelationships(archive, name);
	const tree = descend(root, "p:sld", "p:cSld", "p:spTree");
	const notesName = [...links.values()].find(({ kind }) => kind === "notesSlide")?.target;
	const context = { links, readPart: (part: string) => readOptionalXml(archive, part, PRESENTATION) };
	return {
		title: titleOf(tree),
		body: tree ? renderShapes(tree, context) : "",
		notes: notesName ? readNotes(archive, notesName) : "",
	};
}

function titleOf(tree: XmlElement | undefined): string {
	const shape = childElements(tree, "p:sp").find(isTitleShape);
	const paragraphs = childElements(child(shape, "p:txBody") ?? shape, "a:p");
	return collapseSpace(
		paragraphs.map((paragraph) => descendants(paragraph, "a:t").map(textOf).join("")).join(" "),
	);
}

function readNotes(archive: Archive, name: string): string {
	const root = readOptionalXml(archive, name, PRESENTATION);
	const tree = descend(root, "p:notes", "p:cSld", "p:spTree");
	const links = readRelationships(archive, name);
	return childElements(tree, "p:sp")
		.filter((shape) => placeholderType(shape) === "body")
		.map((shape) => child(shape, "p:txBody"))
		.map((body) => (body ? renderTextBody(body, links, false) : ""))
		.join("");
}
