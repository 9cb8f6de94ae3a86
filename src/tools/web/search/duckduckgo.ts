import { loadPageParser } from "@deputize/documents";
import { WebError } from "../web-error.ts";
import { buildQuery } from "./build-provider-request.ts";
import type { SearchHit, SearchProvider } from "./search-provider.ts";

const CHALLENGE = /anomaly-modal|anomaly\.js|challenge-form|unusual traffic|g-recaptcha/i;

/** Reads the script-free result page. There is no interface to ask, so the service may answer with a challenge. */
export const duckduckgo: SearchProvider = {
	buildRequest: ({ query, endpoint }) =>
		buildQuery(endpoint, { accept: "text/html", "accept-language": "en" }, { q: query }),
	async parseHits(body, status) {
		if (status === 202 || CHALLENGE.test(body))
			throw new WebError(
				"PROVIDER_RATE_LIMITED",
				"DuckDuckGo answered with a challenge page for suspected robots. Wait, or configure another provider.",
			);
		const parsePage = await loadPageParser();
		const hits: SearchHit[] = [];
		for (const result of parsePage(body).querySelectorAll(".result")) {
			const link = result.querySelector(".result__a");
			if (link === null || /\bresult--ad\b/.test(result.className)) continue;
			const snippet = result.querySelector(".result__snippet")?.textContent ?? "";
			hits.push({ title: link.textContent, url: readTarget(link.getAttribute("href") ?? ""), snippet });
		}
		// A page without a single result looks the same as one whose markup has changed.
		if (hits.length === 0)
			throw new WebError("PARSE_ERROR", "No result could be read from DuckDuckGo's page.");
		return hits;
	},
};

/** Results link to a counter that carries the real address in `uddg`. */
function readTarget(href: string): string {
	const url = URL.parse(href, "https://duckduckgo.com/");
	return url?.searchParams.get("uddg") ?? url?.href ?? "";
}
