import { parseProviderList, readString } from "../parse-provider-json.ts";
import type { SearchProvider } from "../search-provider.ts";

export const searxng: SearchProvider = {
	buildRequest({ query, endpoint }) {
		const url = new URL(endpoint);
		// The address of the instance is what people copy; the search is one step below it.
		if (!url.pathname.endsWith("/search")) url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
		url.searchParams.set("q", query);
		url.searchParams.set("format", "json");
		return { url: url.href, method: "GET", headers: { accept: "application/json" } };
	},
	parseHits: (body) =>
		parseProviderList(body, ["results"]).map((entry) => ({
			title: readString(entry, "title"),
			url: readString(entry, "url"),
			snippet: readString(entry, "content"),
			source: readString(entry, "engine"),
			publishedAt: readString(entry, "publishedDate"),
		})),
	hints: { 403: "Enable the json format under search.formats in the instance's settings.yml." },
};
