import { asObject, asText } from "@deputize/ground";
import { getDocumentProxy } from "unpdf";
import type { PdfItem, PdfLink, PdfPage, PdfText } from "./pdf-page.ts";

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document["getPage"]>>;

/** PDF.js in pure JavaScript: runs everywhere, knows nothing about bold. */
export async function extractWithUnpdf(bytes: Uint8Array, maxPages: number): Promise<PdfText> {
	// A copy, because PDF.js takes the buffer over.
	const document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
	const pages: PdfPage[] = [];
	for (let number = 1; number <= Math.min(document.numPages, maxPages); number += 1) {
		const page = await document.getPage(number);
		pages.push({ items: await readItems(page), links: await readLinks(page) });
		page.cleanup();
	}
	return { engine: "unpdf", pages, pageCount: document.numPages, ...(await readInformation(document)) };
}

async function readItems(page: Page): Promise<PdfItem[]> {
	const { items, styles } = await page.getTextContent();
	return items.flatMap((item) => {
		if (!("str" in item) || item.str.trim() === "") return [];
		const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as number[];
		const { str: text, width, height, fontName } = item;
		const fixed = styles[fontName]?.fontFamily === "monospace";
		return [{ text, x, y, width, size: Math.hypot(a, b) || height, bold: false, italic: false, fixed }];
	});
}

async function readLinks(page: Page): Promise<PdfLink[]> {
	const annotations: unknown[] = await page.getAnnotations();
	return annotations.flatMap((annotation) => {
		const { url, rect } = annotation as { url?: unknown; rect?: unknown };
		if (typeof url !== "string" || !Array.isArray(rect)) return [];
		const [left, bottom, right, top] = rect.map(Number);
		if (left === undefined || bottom === undefined || right === undefined || top === undefined) return [];
		return [{ url, left, bottom, right, top }];
	});
}

async function readInformation(document: Document): Promise<{ title?: string; author?: string }> {
	const info = asObject(asObject(await document.getMetadata())["info"]);
	const title = asText(info["Title"]).trim();
	const author = asText(info["Author"]).trim();
	return { ...(title && { title }), ...(author && { author }) };
}
