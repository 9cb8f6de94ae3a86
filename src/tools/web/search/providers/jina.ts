import { parseProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

export const jina: SearchProvider = {
	buildRequest({ query, endpoint, key }) {
		const url = new URL(endpoint);
		url.searchParams.set("q", query);
		return {
			url: url.href,
			method: "GET",
			headers: {
				accept: "application/json",
				authorization: `Bearer ${key}`,
				"x-respond-with": "no-content",
			},
		};
	},
	parseHits: (body) =>
		parseProviderList(body, ["data"]).map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "url"),
			snippet: readString(entry, "description", "content"),
			publishedAt: readString(entry, "date", "publishedTime"),
		})),
};
