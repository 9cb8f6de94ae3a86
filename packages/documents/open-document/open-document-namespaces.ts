const OASIS = "urn:oasis:names:tc:opendocument:xmlns:";

/** The namespaces of OpenDocument under the prefixes its own specification uses. */
export const OPEN_DOCUMENT: Readonly<Record<string, string>> = {
	[`${OASIS}office:1.0`]: "office",
	[`${OASIS}text:1.0`]: "text",
	[`${OASIS}table:1.0`]: "table",
	[`${OASIS}style:1.0`]: "style",
	[`${OASIS}drawing:1.0`]: "draw",
	[`${OASIS}presentation:1.0`]: "presentation",
	[`${OASIS}svg-compatible:1.0`]: "svg",
	[`${OASIS}xsl-fo-compatible:1.0`]: "fo",
	[`${OASIS}meta:1.0`]: "meta",
	"http://www.w3.org/1999/xlink": "xlink",
	"http://purl.org/dc/elements/1.1/": "dc",
};
