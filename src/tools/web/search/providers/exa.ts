import { parseProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

const SNIPPET_CHARS = 500;

export const exa: SearchProvider = {
	buildRequest: ({ query, count, endpoint, key }) => ({
		url: endpoint,
		method: "POST",
		headers: { accept: "application/json", "content-type": "application/json", "x-api-key": key },
		body: JSON.stringify({
			query,
			type: "auto",
			numResults: count,
			contents: { text: { maxCharacters: SNIPPET_CHARS }, highlights: true },
		}),
	}),
	parseHits: (body) =>
		parseProviderList(body, ["results"]).map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "url"),
			snippet: readHighlights(entry["highlights"]) || readString(entry, "text", "summary"),
			source: readString(entry, "author"),
			publishedAt: readString(entry, "publishedDate"),
		})),
};

function readHighlights(value: unknown): string {
	return Array.isArray(value) ? value.filter((entry) => typeof entry === "string").join(" … ") : "";
}
