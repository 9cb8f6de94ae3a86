import { decodeEntities } from "@deputize/documents";
import { cleanOutsideText, collapseSpace, defined, type Environment } from "@deputize/ground";
import type { WebConfig } from "../../../contract/config.ts";
import { type RemoteSearchProvider, SEARCH_PROVIDERS } from "../../../contract/search-providers.ts";
import type { FetchRefusal } from "../net/fetch-outcome.ts";
import type { SafeClient } from "../safe-fetch.ts";
import { WebError, type WebErrorCode } from "../web-error.ts";
import { SEARCH_INTERFACES } from "./list-search-providers.ts";
import type { SearchHit, SearchProvider } from "./search-provider.ts";

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 1000;
const MAX_DATE_CHARS = 60;
const MAX_EXCERPT_CHARS = 300;

interface AskOptions {
	readonly name: RemoteSearchProvider;
	readonly config: WebConfig;
	readonly env: Environment;
	readonly client: SafeClient;
	readonly query: string;
	readonly count: number;
	readonly signal: AbortSignal;
}

/** Sends one query to one service. Throws a WebError that says what is wrong and never contains the key. */
export async function askProvider(options: AskOptions): Promise<SearchHit[]> {
	const key = readApiKey(options);
	try {
		return await sendAndRead(options, key);
	} catch (error) {
		if (!(error instanceof WebError)) throw error;
		const message = key === "" ? error.message : error.message.replaceAll(key, "[key]");
		throw new WebError(error.code, `${options.name}: ${message}`);
	}
}

function readApiKey({ name, config, env }: AskOptions): string {
	const { apiKeyEnv } = config[name];
	const key = apiKeyEnv === "" ? "" : (env[apiKeyEnv] ?? "").trim();
	if (key === "" && SEARCH_PROVIDERS[name].needs === "key")
		throw new WebError(
			"PROVIDER_AUTH_FAILED",
			`${name}: the environment variable ${apiKeyEnv || `named by web.${name}.apiKeyEnv`} contains no key.`,
		);
	return key;
}

async function sendAndRead(options: AskOptions, key: string): Promise<SearchHit[]> {
	const { name, config, client, query, count, signal } = options;
	const provider = SEARCH_INTERFACES[name];
	const endpoint = chooseEndpoint(config[name].baseUrl, name);
	const { url, ...request } = provider.buildRequest({ query, count, endpoint, key });
	const answer = await client.fetchBytes(url, {
		...request,
		signal,
		timeoutMs: config.timeoutMs,
		maxBytes: MAX_ANSWER_BYTES,
		redirects: "refuse",
	});
	if (!answer.ok) throw toProviderError(answer, provider, config.timeoutMs);
	const hits = await provider.parseHits(new TextDecoder().decode(answer.bytes), answer.status);
	return tidyHits(hits, count);
}

/** A base URL without a path is the address of the service; one with a path is the endpoint itself. */
function chooseEndpoint(baseUrl: string, name: RemoteSearchProvider): string {
	const defaultEndpoint: string = SEARCH_PROVIDERS[name].endpoint;
	if (baseUrl === "") {
		if (defaultEndpoint !== "") return defaultEndpoint;
		throw new WebError("INVALID_INPUT", `web.${name}.baseUrl is not set.`);
	}
	const url = URL.parse(baseUrl);
	if (!url) throw new WebError("INVALID_INPUT", `web.${name}.baseUrl "${baseUrl}" is not a URL.`);
	if (url.pathname === "/" && defaultEndpoint !== "") url.pathname = new URL(defaultEndpoint).pathname;
	return url.href;
}

function toProviderError(refusal: FetchRefusal, provider: SearchProvider, timeoutMs: number): WebError {
	const { status, retryAfterMs } = refusal;
	if (status === undefined || refusal.code === "CONTENT_FETCH_TOO_LARGE") {
		if (refusal.code === "CONTENT_FETCH_TIMEOUT")
			return new WebError("WEB_SEARCH_TIMEOUT", `no complete answer within ${timeoutMs} ms.`);
		const isKept = ["ABORTED", "PRIVATE_NETWORK_BLOCKED", "NETWORK_ERROR"].includes(refusal.code);
		return new WebError(isKept ? refusal.code : "WEB_SEARCH_FAILED", refusal.message);
	}
	const hint = provider.hints?.[status] ?? "";
	const wait = retryAfterMs === undefined ? "" : `It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
	const excerpt = collapseSpace(cleanOutsideText(stripTags(refusal.body ?? ""))).slice(0, MAX_EXCERPT_CHARS);
	const parts = [`HTTP ${status}.`, hint, wait, excerpt === "" ? "" : `It says: ${excerpt}`];
	return new WebError(toWebErrorCode(status), parts.filter((part) => part !== "").join(" "));
}

function toWebErrorCode(status: number): WebErrorCode {
	if (status === 401 || status === 403) return "PROVIDER_AUTH_FAILED";
	if (status === 402 || status === 429 || status === 432 || status === 433) return "PROVIDER_RATE_LIMITED";
	return status >= 500 ? "PROVIDER_UNAVAILABLE" : "WEB_SEARCH_FAILED";
}

function tidyHits(hits: readonly SearchHit[], count: number): SearchHit[] {
	const seen = new Set<string>();
	const tidy: SearchHit[] = [];
	for (const hit of hits) {
		const url = URL.parse(hit.url);
		const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
		if (!url || !isWeb || seen.has(url.href) || tidy.length >= count) continue;
		seen.add(url.href);
		tidy.push(tidyHit(hit, url.href));
	}
	return tidy;
}

function tidyHit(hit: SearchHit, url: string): SearchHit {
	return {
		title: toPlainLine(hit.title, MAX_TITLE_CHARS) ?? url,
		url,
		...defined({
			snippet: toPlainLine(hit.snippet, MAX_SNIPPET_CHARS),
			source: toPlainLine(hit.source, MAX_TITLE_CHARS),
			publishedAt: toPlainLine(hit.publishedAt, MAX_DATE_CHARS),
		}),
	};
}

/** Undefined when nothing is left. */
function toPlainLine(text = "", maxChars: number): string | undefined {
	return collapseSpace(cleanOutsideText(decodeEntities(stripTags(text)))).slice(0, maxChars) || undefined;
}

function stripTags(text: string): string {
	return text.replace(/<\/?[a-z!][^<>]{0,500}>/gi, "");
}
