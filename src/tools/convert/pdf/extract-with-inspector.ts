import type * as Inspector from "@firecrawl/pdf-inspector";
import { loadPackage } from "../../../parts/load-package.ts";
import { locatePart } from "../../../parts/locate-part.ts";
import type { PdfItem, PdfLink, PdfText } from "./pdf-page.ts";

type InspectorModule = typeof Inspector;
type InspectorItem = ReturnType<InspectorModule["extractTextWithPositions"]>[number];

/**
 * The native engine, when it was installed for this platform: faster, and it recognizes bold and italic.
 * Only its text functions are called; its OCR modes download models. `modules` is where the part `documents` is, if the
 * caller knows it, and empty if there is none: a converter process may not look around.
 */
export function loadInspector(modules?: string): InspectorModule | undefined {
	const located = modules === undefined ? locatePart("documents", {}) : { modules };
	if (located === undefined || modules === "") return undefined;
	try {
		return loadPackage<InspectorModule>(located, "@firecrawl/pdf-inspector");
	} catch {
		// No binary for this platform, or one that does not load here: the other engine reads the file.
		return undefined;
	}
}

export function extractWithInspector(inspector: InspectorModule, buffer: Buffer, maxPages: number): PdfText {
	const { pageCount, title, author } = inspector.detectPdf(buffer);
	const wanted = Array.from({ length: Math.min(pageCount, maxPages) }, (_, index) => index + 1);
	const pages = wanted.map(() => ({ items: [] as PdfItem[], links: [] as PdfLink[] }));
	for (const item of inspector.extractTextWithPositions(buffer, wanted)) {
		const page = pages[item.page - 1];
		if (!page) continue;
		if (item.linkUrl) page.links.push(toLink(item, item.linkUrl));
		else if (String(item.itemType) === "Text" && item.text.trim() !== "") page.items.push(toItem(item));
	}
	return { engine: "pdf-inspector", pages, pageCount, ...(title && { title }), ...(author && { author }) };
}

const FIXED_FONT = /mono|courier|typewriter|consol|cmtt|fixed/i;

function toItem(item: InspectorItem): PdfItem {
	const { text, x, y, width, fontSize: size, isBold: bold, isItalic: italic } = item;
	return { text, x, y, width, size, bold, italic, fixed: FIXED_FONT.test(item.font) };
}

function toLink(item: InspectorItem, url: string): PdfLink {
	return { url, left: item.x, bottom: item.y, right: item.x + item.width, top: item.y + item.height };
}
