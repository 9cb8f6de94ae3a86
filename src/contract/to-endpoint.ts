import type { LoopProviderName } from "./loop-providers.ts";

/** What comes behind the base URL. */
const PATHS: Readonly<Partial<Record<LoopProviderName, string>>> = {
	"openai-chat": "/chat/completions",
	"openai-responses": "/responses",
	anthropic: "/messages",
};

/**
 * The base URL of a service as people write it: with or without a scheme, a path, a slash at the end, or the endpoint itself. One
 * without a path gets the usual one's. Undefined when it is no address of the web.
 */
export function parseBaseUrl(text: string, usual: string): string | undefined {
	const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text.replace(/^:/, "127.0.0.1:")}`;
	if (!URL.canParse(written) || /\s/.test(text)) return undefined;
	const url = new URL(written);
	if (!["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
		return undefined;
	const known = URL.canParse(usual) ? new URL(usual) : undefined;
	// What a server listens on, not where it is found.
	if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
	if (written !== text && url.port === "" && known !== undefined) url.port = known.port;
	if (/^\/*$/.test(url.pathname)) url.pathname = known?.pathname ?? "/v1";
	url.pathname = url.pathname.replace(/\/+$/, "");
	return url.href.replace(/\/$/, "");
}

/** Where requests go. A base URL that already ends with an endpoint is one. */
export function toEndpoint(base: string, dialect: LoopProviderName, model: string): string {
	if (findDialect(base) !== undefined || /:(?:stream)?rawPredict$/i.test(base)) return base;
	const url = new URL(base);
	if (dialect === "vertexai-anthropic") url.pathname += `/${model}:streamRawPredict`;
	// Anthropic's base URL is written without the version, and so are those of its gateways.
	else if (dialect === "anthropic" && !/\/v\d[^/]*$/.test(url.pathname)) url.pathname += "/v1/messages";
	else url.pathname += PATHS[dialect] ?? "";
	return url.href;
}

/** The dialect of a complete endpoint; undefined for a base URL. */
export function findDialect(url: string): LoopProviderName | undefined {
	const path = new URL(url).pathname.replace(/\/+$/, "");
	const found = Object.entries(PATHS).find(([, end]) => path.endsWith(end));
	return found?.[0] as LoopProviderName | undefined;
}

/** A service's list of its models, next to an endpoint of it. */
export function toModelList(endpoint: string): string {
	const url = new URL(endpoint);
	const end = Object.values(PATHS).find((path) => url.pathname.endsWith(path)) ?? "";
	url.pathname = `${url.pathname.slice(0, url.pathname.length - end.length)}/models`;
	return url.href;
}
