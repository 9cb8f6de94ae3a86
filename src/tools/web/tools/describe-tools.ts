import type { HostNeutralTool } from "../../../contract/tool.ts";

export const MAX_QUERIES = 5;
export const MAX_URLS = 10;

export type ToolDescription = Omit<HostNeutralTool, "execute">;

const PAGING = {
	offset: {
		type: "integer",
		minimum: 0,
		description: "Character to begin at, for reading on in a long text.",
	},
	limit: { type: "integer", minimum: 1, description: "Most characters to show." },
} as const;

const describeList = (what: string, maxItems: number) =>
	({
		type: "array",
		items: { type: "string" },
		maxItems,
		description: `Several ${what} at once, at most ${maxItems}.`,
	}) as const;

export const WEB_SEARCH = {
	name: "web_search",
	label: "Web search",
	description:
		"Search the web, or the documentation on this machine when no search service is configured; the answer says which. Gives titles, addresses and snippets, and a responseId under which they stay readable with get_search_content.",
	parameters: {
		type: "object",
		properties: {
			query: { type: "string", description: "What to search for." },
			queries: describeList("queries", MAX_QUERIES),
			numResults: { type: "integer", minimum: 1, description: "Results per query." },
			includeContent: { type: "boolean", description: "Also fetch the pages that were found." },
		},
	},
} as const satisfies ToolDescription;

export const FETCH_CONTENT = {
	name: "fetch_content",
	label: "Fetch content",
	description:
		"Read web pages as Markdown: HTML, JSON, text, source, feeds, PDF and office documents; GitHub files, repositories and issues. Long texts are shown in part, with the offset to read on from.",
	parameters: {
		type: "object",
		properties: {
			url: { type: "string", description: "An http or https address." },
			urls: describeList("addresses", MAX_URLS),
			preferReader: {
				type: "boolean",
				description: "Ask the hosted reader first, if the user has enabled it.",
			},
			raw: { type: "boolean", description: "Give the text as it was sent, for example the HTML of a page." },
			...PAGING,
		},
	},
} as const satisfies ToolDescription;

export const GET_SEARCH_CONTENT = {
	name: "get_search_content",
	label: "Get stored content",
	description:
		"Read on in what web_search or fetch_content stored, by its responseId: all of it, one query's results or one document, from an offset, or the passages where a text occurs.",
	parameters: {
		type: "object",
		properties: {
			responseId: { type: "string", description: "From the first line of a search or fetch." },
			query: { type: "string", description: "One of the queries of the search." },
			queryIndex: { type: "integer", minimum: 0, description: "The same by its number." },
			url: { type: "string", description: "One of the addresses." },
			urlIndex: { type: "integer", minimum: 0, description: "The same by its number in brackets." },
			...PAGING,
			findText: {
				type: "string",
				description: "Show only the passages where this occurs, with their offsets.",
			},
		},
		required: ["responseId"],
	},
} as const satisfies ToolDescription;

export const SEARCH_WEB = {
	name: "search_web",
	label: "Search web",
	description:
		"Search the web, or the documentation on this machine when no search service is configured; the answer says which.",
	parameters: {
		type: "object",
		properties: { query: { type: "string", description: "What to search for." } },
		required: ["query"],
	},
} as const satisfies ToolDescription;

export const SCRAPE_WEBPAGE = {
	name: "scrape_webpage",
	label: "Scrape web page",
	description:
		"Read one web page as Markdown. A long page is shown in part, with the offset to read on from.",
	parameters: {
		type: "object",
		properties: {
			url: { type: "string", description: "An http or https address." },
			offset: PAGING.offset,
		},
		required: ["url"],
	},
} as const satisfies ToolDescription;
