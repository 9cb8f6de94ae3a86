import { readOptionalXml } from "../xml/read-xml-part.ts";
import { descendants, textOf } from "../xml/xml-element.ts";
import type { Archive } from "../zip/open-archive.ts";

const PREFIXES = { "http://purl.org/dc/elements/1.1/": "dc", "http://purl.org/dc/terms/": "dcterms" };

/** Title and author of an Office Open XML file. */
export function readCoreProperties(archive: Archive): { title?: string; author?: string; modified?: string } {
	const core = readOptionalXml(archive, "docProps/core.xml", PREFIXES);
	const first = (name: string): string => textOf(core && descendants(core, name)[0]).trim();
	const title = first("dc:title");
	const author = first("dc:creator");
	const modified = first("dcterms:modified");
	return { ...(title && { title }), ...(author && { author }), ...(modified && { modified }) };
}
