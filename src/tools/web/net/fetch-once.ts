import { collectBytes, defined, parseRetryAfter } from "@deputize/ground";
import { type Dispatcher, fetch, type Response } from "undici";
import { WebError } from "../web-error.ts";
import type { FetchOptions, FetchOutcome, FetchRefusal } from "./fetch-outcome.ts";
import { parseWebUrl } from "./parse-web-url.ts";

const MAX_REDIRECTS = 5;
const REDIRECT_STATUS = new Set([301, 302, 303, 307, 308]);
/** Bytes kept of an error page: enough for the sentence that says what is wrong. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** Longer ones are sentences. */
const MAX_SCHEME_CHARS = 12;
const USER_AGENT = "deputize (web tools for coding agents)";

/** One attempt: the request, its redirects, each checked like the first, and the body. Rejects on a broken one. */
export async function fetchOnce(
	start: string,
	request: FetchOptions,
	signal: AbortSignal,
	dispatcher: Dispatcher,
): Promise<FetchOutcome> {
	const first = parseWebUrl(start);
	const redirects: string[] = [];
	let url = first;
	for (;;) {
		const response = await fetch(url, {
			dispatcher,
			signal,
			redirect: "manual",
			method: request.method ?? "GET",
			headers: chooseHeaders(request, first, url),
			...defined({ body: request.body }),
		});
		const location = response.headers.get("location");
		if (!REDIRECT_STATUS.has(response.status) || location === null)
			return await toOutcome(response, url, request, redirects);
		await response.body?.cancel();
		url = followRedirect(url, location, request, redirects);
		redirects.push(url.href);
	}
}

function followRedirect(
	from: URL,
	location: string,
	request: FetchOptions,
	redirects: readonly string[],
): URL {
	if (request.redirects === "refuse")
		throw failed(`${from.origin} answered with a redirect, which is not followed here.`);
	if (redirects.length >= MAX_REDIRECTS)
		throw failed(`More than ${MAX_REDIRECTS} redirects, the last one from ${from.origin}.`);
	const next = URL.parse(location, from.href);
	if (!next) throw failed(`${from.origin} redirects to something that is not a URL.`);
	return parseTarget(next, from);
}

/** Where a server sends us is its own words: a refusal says what kind of address it was, not the address. */
function parseTarget(next: URL, from: URL): URL {
	try {
		return parseWebUrl(next.href);
	} catch (error) {
		if (!(error instanceof WebError)) throw error;
		const scheme = next.protocol.length <= MAX_SCHEME_CHARS ? next.protocol : "an unknown scheme";
		throw new WebError(
			error.code,
			`${from.origin} redirects to an address (${scheme}) that is not fetched: only http and https without a password are.`,
		);
	}
}

function failed(message: string): WebError {
	return new WebError("CONTENT_FETCH_FAILED", message);
}

/** A redirect to another origin must not carry what was meant for the first one. */
function chooseHeaders(request: FetchOptions, first: URL, current: URL): Record<string, string> {
	const own = Object.entries(request.headers ?? {}).map(
		([name, value]) => [name.toLowerCase(), value] as const,
	);
	const sameOrigin = first.origin === current.origin;
	const kept = own.filter(([name]) => sameOrigin || name === "accept" || name === "accept-language");
	return { "user-agent": USER_AGENT, accept: "*/*", ...Object.fromEntries(kept) };
}

async function toOutcome(
	response: Response,
	url: URL,
	request: FetchOptions,
	redirects: readonly string[],
): Promise<FetchOutcome> {
	if (!response.ok) return await toStatusRefusal(response, url);
	const contentType = response.headers.get("content-type") ?? "";
	const { status } = response;
	const { maxBytes } = request;
	// Counting what comes out of the decompressor stops a decompression bomb: limits on the wire count compressed bytes.
	const { bytes, isCut } = await collectBytes(response.body ?? [], (firstBytes) =>
		typeof maxBytes === "number" ? maxBytes : maxBytes({ url: url.href, contentType, firstBytes }),
	);
	if (isCut && request.onOversize !== "truncate")
		return {
			ok: false,
			code: "CONTENT_FETCH_TOO_LARGE",
			message: `${url.href} is larger than the limit of ${bytes.byteLength} bytes.`,
			status,
		};
	return { ok: true, url: url.href, status, contentType, bytes, truncated: isCut, redirects };
}

async function toStatusRefusal(response: Response, url: URL): Promise<FetchRefusal> {
	const { bytes } = await collectBytes(response.body ?? [], MAX_ERROR_BODY_BYTES);
	const retryAfterMs = parseRetryAfter((name) => response.headers.get(name), Date.now());
	const wait = retryAfterMs === undefined ? "" : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
	const gone = response.status === 404 || response.status === 410;
	const hint = gone ? " The page does not exist; search for its new address." : "";
	return {
		ok: false,
		code: "CONTENT_FETCH_FAILED",
		message: `${url.href} answered HTTP ${response.status}.${wait}${hint}`,
		status: response.status,
		...defined({ retryAfterMs }),
		body: new TextDecoder().decode(bytes),
	};
}
