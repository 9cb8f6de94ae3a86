import type * as Inspector from "@firecrawl/pdf-inspector";
import type { PdfItem, PdfLink, PdfText } from "./pdf-page.ts";

/**
 * The native engine: faster, and it recognizes bold and italic. Only its text functions are called; its OCR modes
 * download models.
 */
export type InspectorModule = typeof Inspector;
type InspectorItem = ReturnType<InspectorModule["extractTextWithPositions"]>[number];

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
