import { damaged } from "../conversion-error.ts";
import { refuseEncryptedOpenDocument } from "../formats/open-document-encryption.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { readOptionalXml, readXmlPart } from "../xml/read-xml-part.ts";
import { descend, firstText } from "../xml/xml-element.ts";
import { openArchive } from "../zip/open-archive.ts";
import { OPEN_DOCUMENT } from "./open-document-namespaces.ts";
import { type DocumentStyles, readStyles } from "./read-styles.ts";

interface OpenDocument {
	readonly body: XmlElement;
	readonly styles: DocumentStyles;
	readonly title?: string;
	readonly author?: string;
}

/** What text documents and presentations share: the parts of the package, the styles and the body. */
export function openOpenDocument(bytes: Buffer, bodyName: string): OpenDocument {
	const archive = openArchive(bytes);
	refuseEncryptedOpenDocument(archive);
	const content = readXmlPart(archive, "content.xml", OPEN_DOCUMENT);
	const body = descend(content, "office:document-content", "office:body", bodyName);
	if (!body) throw damaged(`The document has no <${bodyName}>; it is not what its name says.`);
	const meta = readOptionalXml(archive, "meta.xml", OPEN_DOCUMENT);
	const title = firstText(meta, "dc:title");
	const author = firstText(meta, "dc:creator") || firstText(meta, "meta:initial-creator");
	return {
		body,
		styles: readStyles(readOptionalXml(archive, "styles.xml", OPEN_DOCUMENT), content),
		...(title && { title }),
		...(author && { author }),
	};
}
