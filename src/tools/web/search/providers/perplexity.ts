import { parseProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

/** Tokens of each page in the answer; enough for a snippet. */
const MAX_TOKENS_PER_PAGE = 256;

export const perplexity: SearchProvider = {
	buildRequest: ({ query, count, endpoint, key }) => ({
		url: endpoint,
		method: "POST",
		headers: {
			accept: "application/json",
			"content-type": "application/json",
			authorization: `Bearer ${key}`,
		},
		body: JSON.stringify({
			query,
			max_results: Math.min(20, count),
			max_tokens_per_page: MAX_TOKENS_PER_PAGE,
		}),
	}),
	parseHits: (body) =>
		parseProviderList(body, ["results"]).map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "url"),
			snippet: readString(entry, "snippet"),
			publishedAt: readString(entry, "date", "last_updated"),
		})),
};
