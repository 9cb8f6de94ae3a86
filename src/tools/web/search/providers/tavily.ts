import { parseProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

export const tavily: SearchProvider = {
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
			search_depth: "basic",
			include_answer: false,
		}),
	}),
	parseHits: (body) =>
		parseProviderList(body, ["results"]).map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "url"),
			snippet: readString(entry, "content"),
			publishedAt: readString(entry, "published_date"),
		})),
	hints: { 432: "The plan's limit is used up.", 433: "The pay-as-you-go limit is used up." },
};
