const MICROSOFT = "http://schemas.openxmlformats.org/";
const STRICT = "http://purl.oclc.org/ooxml/";

/** Transitional and strict addresses of the namespaces, under the prefixes everybody writes. */
export const PRESENTATION: Readonly<Record<string, string>> = {
	[`${MICROSOFT}presentationml/2006/main`]: "p",
	[`${STRICT}presentationml/main`]: "p",
	[`${MICROSOFT}drawingml/2006/main`]: "a",
	[`${STRICT}drawingml/main`]: "a",
	[`${MICROSOFT}officeDocument/2006/relationships`]: "r",
	[`${STRICT}officeDocument/relationships`]: "r",
	[`${MICROSOFT}package/2006/relationships`]: "rel",
	[`${MICROSOFT}drawingml/2006/chart`]: "c",
	[`${STRICT}drawingml/chart`]: "c",
	[`${MICROSOFT}drawingml/2006/diagram`]: "dgm",
	[`${STRICT}drawingml/diagram`]: "dgm",
};
