import { readOptionalXml } from "../xml/read-xml-part.ts";
import { firstText } from "../xml/xml-element.ts";
import type { Archive } from "../zip/open-archive.ts";

const PREFIXES = { "http://purl.org/dc/elements/1.1/": "dc", "http://purl.org/dc/terms/": "dcterms" };

/** Title and author of an Office Open XML file. */
export function readCoreProperties(archive: Archive): { title?: string; author?: string; modified?: string } {
	const core = readOptionalXml(archive, "docProps/core.xml", PREFIXES);
	const title = firstText(core, "dc:title");
	const author = firstText(core, "dc:creator");
	const modified = firstText(core, "dcterms:modified");
	return { ...(title && { title }), ...(author && { author }), ...(modified && { modified }) };
}
