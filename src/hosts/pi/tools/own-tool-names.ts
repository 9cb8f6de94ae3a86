/** The tools of this package that read the web, documents and code, by kind. */
export const OWN_TOOLS_BY_KIND = {
	web: ["web_search", "fetch_content", "get_search_content"],
	convert: ["convert_content"],
	lsp: ["lsp"],
} as const;

export const OWN_TOOL_NAMES: readonly string[] = Object.values(OWN_TOOLS_BY_KIND).flat();
