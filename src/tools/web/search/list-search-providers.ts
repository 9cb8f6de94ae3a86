import type { RemoteSearchProvider } from "../../../contract/search-providers.ts";
import { buildJsonPost, buildQuery } from "./build-provider-request.ts";
import { duckduckgo } from "./duckduckgo.ts";
import { type HitNames, parseProviderHits } from "./parse-provider-hits.ts";
import type { SearchProvider } from "./search-provider.ts";

/** Brave refuses longer queries. */
const MAX_BRAVE_CHARS = 400;
const MAX_BRAVE_WORDS = 50;
/** More results than this are refused by Tavily, Brave and Perplexity. */
const MAX_RESULTS = 20;
/** Of each page in an answer of Exa and of Perplexity; enough for a snippet. */
const MAX_EXA_CHARS = 500;
const MAX_PERPLEXITY_TOKENS = 256;

/** How each provider of the table is asked, and where its answer has what; a row without an entry here does not compile. */
export const SEARCH_INTERFACES: Readonly<Record<RemoteSearchProvider, SearchProvider>> = {
	tavily: {
		buildRequest: ({ query, count, endpoint, key }) =>
			buildJsonPost(
				endpoint,
				{ authorization: `Bearer ${key}` },
				{ query, max_results: Math.min(MAX_RESULTS, count), search_depth: "basic", include_answer: false },
			),
		parseHits: hitsAt(["results"], { snippet: ["content"], publishedAt: ["published_date"] }),
		hints: { 432: "The plan's limit is used up.", 433: "The pay-as-you-go limit is used up." },
	},
	exa: {
		buildRequest: ({ query, count, endpoint, key }) =>
			buildJsonPost(
				endpoint,
				{ "x-api-key": key },
				{
					query,
					type: "auto",
					numResults: count,
					contents: { text: { maxCharacters: MAX_EXA_CHARS }, highlights: true },
				},
			),
		parseHits: hitsAt(["results"], {
			snippet: ["highlights", "text", "summary"],
			source: ["author"],
			publishedAt: ["publishedDate"],
		}),
	},
	brave: {
		buildRequest: ({ query, count, endpoint, key }) => {
			const words = query.slice(0, MAX_BRAVE_CHARS).split(/\s+/).slice(0, MAX_BRAVE_WORDS);
			const parameters = { q: words.join(" "), count: String(Math.min(MAX_RESULTS, count)) };
			return buildQuery(endpoint, { "x-subscription-token": key }, parameters);
		},
		// Without hits the answer has no "web" at all.
		parseHits: hitsAt(
			["web", "results"],
			{ snippet: ["description"], publishedAt: ["page_age", "age"] },
			"query",
		),
	},
	serper: {
		buildRequest: ({ query, count, endpoint, key }) =>
			buildJsonPost(endpoint, { "x-api-key": key }, { q: query, num: count }),
		parseHits: hitsAt(["organic"], { url: ["link"], snippet: ["snippet"], publishedAt: ["date"] }),
	},
	perplexity: {
		buildRequest: ({ query, count, endpoint, key }) =>
			buildJsonPost(
				endpoint,
				{ authorization: `Bearer ${key}` },
				{
					query,
					max_results: Math.min(MAX_RESULTS, count),
					max_tokens_per_page: MAX_PERPLEXITY_TOKENS,
				},
			),
		parseHits: hitsAt(["results"], { snippet: ["snippet"], publishedAt: ["date", "last_updated"] }),
	},
	jina: {
		buildRequest: ({ query, endpoint, key }) =>
			buildQuery(endpoint, { authorization: `Bearer ${key}`, "x-respond-with": "no-content" }, { q: query }),
		parseHits: hitsAt(["data"], {
			snippet: ["description", "content"],
			publishedAt: ["date", "publishedTime"],
		}),
	},
	searxng: {
		buildRequest: ({ query, endpoint }) => {
			const url = new URL(endpoint);
			// The address of the instance is what people copy; the search is one step below it.
			if (!url.pathname.endsWith("/search")) url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
			return buildQuery(url.href, {}, { q: query, format: "json" });
		},
		parseHits: hitsAt(["results"], {
			snippet: ["content"],
			source: ["engine"],
			publishedAt: ["publishedDate"],
		}),
		hints: { 403: "Enable the json format under search.formats in the instance's settings.yml." },
	},
	duckduckgo,
};

/** For answers in JSON. */
function hitsAt(path: readonly string[], names: HitNames, proof?: string): SearchProvider["parseHits"] {
	return (body) => parseProviderHits(body, path, names, proof);
}
