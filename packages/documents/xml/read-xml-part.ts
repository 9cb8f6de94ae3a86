import { decodeText } from "@deputize/ground";
import { damaged } from "../conversion-error.ts";
import type { Archive } from "../zip/open-archive.ts";
import { type NamespacePrefixes, parseXml, type XmlElement } from "./parse-xml.ts";

/** A part that may be missing. */
export function readOptionalXml(
	archive: Archive,
	name: string,
	prefixes: NamespacePrefixes,
): XmlElement | undefined {
	const bytes = archive.read(name);
	return bytes && parseXml(decodeText(bytes).text, prefixes);
}

/** A part without which there is no document. */
export function readXmlPart(archive: Archive, name: string, prefixes: NamespacePrefixes): XmlElement {
	const part = readOptionalXml(archive, name, prefixes);
	if (!part) throw damaged(`The document has no "${name}"; it is incomplete or not what its name says.`);
	return part;
}
