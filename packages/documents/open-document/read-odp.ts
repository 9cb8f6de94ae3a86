import { collapseSpace } from "@deputize/ground";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import { renderSlides, type Slide } from "../presentation/render-slides.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { child, childElements, textOf } from "../xml/xml-element.ts";
import { openOpenDocument } from "./open-document.ts";
import type { DocumentStyles } from "./read-styles.ts";
import { renderOpenDocument } from "./render-blocks.ts";

const isTitle = (element: XmlElement): boolean => element.attributes["presentation:class"] === "title";

export function readOdp(bytes: Buffer): ConvertedDocument {
	const { body, styles, title, author } = openOpenDocument(bytes, "office:presentation");
	const pages = childElements(body, "draw:page");
	const slides = pages.slice(0, CONVERSION_LIMITS.maxSlides).map((page) => readSlidePage(page, styles));
	return {
		markdown: htmlToMarkdown(renderSlides(slides, pages.length)),
		metadata: { slides: pages.length, ...(author && { author }) },
		...(title && { title }),
	};
}

function readSlidePage(page: XmlElement, styles: DocumentStyles): Slide {
	const frames = childElements(page);
	const title = frames.find(isTitle);
	const notes = childElements(child(page, "presentation:notes") ?? page, "draw:frame").filter(
		(frame) => frame.attributes["presentation:class"] === "notes",
	);
	return {
		title: collapseSpace(textOf(child(title, "draw:text-box"))),
		body: renderOpenDocument(
			frames.filter((frame) => frame !== title),
			styles,
		),
		notes: renderOpenDocument(notes, styles),
	};
}
