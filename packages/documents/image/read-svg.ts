import { collapseSpace, decodeText } from "@deputize/ground";
import type { ConvertedDocument, DocumentMetadata } from "../converted-document.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { child, childElements, descendants, textOf } from "../xml/xml-element.ts";
import { renderFactTable } from "./read-image.ts";

const SVG = { "http://www.w3.org/2000/svg": "svg" };
const MAX_TEXTS = 500;

/** Size, title, description and the words in the drawing. */
export function readSvg(bytes: Uint8Array): ConvertedDocument {
	const document = parseXml(decodeText(bytes).text, SVG);
	const root = childElements(document)[0];
	const title = collapseSpace(textOf(child(root, "svg:title")));
	const description = collapseSpace(textOf(child(root, "svg:desc")));
	const texts = descendants(root, "svg:text").map((node) => collapseSpace(textOf(node)));
	const { width, height, viewBox } = root?.attributes ?? {};
	const facts: DocumentMetadata = {
		format: "svg",
		...(width && { width }),
		...(height && { height }),
		...(viewBox && { viewBox }),
		...(title && { title }),
		...(description && { description }),
	};
	const words = texts.filter(Boolean).slice(0, MAX_TEXTS);
	const markdown = [
		renderFactTable("Image", facts),
		...(words.length > 0 ? ["## Text", words.join("\n")] : []),
	];
	return { markdown: markdown.join("\n\n"), metadata: facts, ...(title && { title }) };
}
