import type { ConvertedDocument, DocumentMetadata } from "../converted-document.ts";
import { renderGrid, toCellText } from "../html/render-table.ts";
import { readGifHeader } from "./read-gif.ts";
import { readJpegHeader } from "./read-jpeg.ts";
import { readPngHeader } from "./read-png.ts";
import { readWebpHeader } from "./read-webp.ts";

const READERS = { png: readPngHeader, jpeg: readJpegHeader, gif: readGifHeader, webp: readWebpHeader };

/** Size and metadata of a picture. What it shows is not described: that needs a model that can see. */
export function readImage(image: Buffer, format: keyof typeof READERS): ConvertedDocument {
	const facts: DocumentMetadata = { format, ...READERS[format](image) };
	return { markdown: renderFactTable("Image", facts), metadata: facts };
}

export function renderFactTable(heading: string, facts: DocumentMetadata): string {
	const rows = Object.entries(facts).map(([name, value]) => [toCellText(name), toCellText(String(value))]);
	return `# ${heading}\n\n${renderGrid([["Property", "Value"], ...rows])}`;
}
