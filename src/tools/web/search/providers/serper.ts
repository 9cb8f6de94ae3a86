import { parseProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

export const serper: SearchProvider = {
	buildRequest: ({ query, count, endpoint, key }) => ({
		url: endpoint,
		method: "POST",
		headers: { accept: "application/json", "content-type": "application/json", "x-api-key": key },
		body: JSON.stringify({ q: query, num: count }),
	}),
	parseHits: (body) =>
		parseProviderList(body, ["organic"]).map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "link"),
			snippet: readString(entry, "snippet"),
			publishedAt: readString(entry, "date"),
		})),
};
