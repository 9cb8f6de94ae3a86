import { parseOptionalProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

/** The service refuses longer queries. */
const MAX_QUERY_CHARS = 400;
const MAX_QUERY_WORDS = 50;

export const brave: SearchProvider = {
	buildRequest({ query, count, endpoint, key }) {
		const url = new URL(endpoint);
		const words = query.slice(0, MAX_QUERY_CHARS).split(/\s+/).slice(0, MAX_QUERY_WORDS);
		url.searchParams.set("q", words.join(" "));
		url.searchParams.set("count", String(Math.min(20, count)));
		return {
			url: url.href,
			method: "GET",
			headers: { accept: "application/json", "x-subscription-token": key },
		};
	},
	// Without hits the answer has no "web" at all.
	parseHits: (body) =>
		parseOptionalProviderList(body, ["web", "results"], "query").map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "url"),
			snippet: readString(entry, "description"),
			publishedAt: readString(entry, "page_age", "age"),
		})),
};
