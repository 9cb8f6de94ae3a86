import { lookup } from "node:dns/promises";
import { Agent, type Dispatcher, fetch, type Response } from "undici";
import { createGuardedConnector, type ResolveHostname } from "./net/create-guarded-connector.ts";
import { createHttpCache } from "./net/create-http-cache.ts";
import { parseRetryAfter } from "./net/parse-retry-after.ts";
import { parseWebUrl } from "./net/parse-web-url.ts";
import { type BodyHead, readBody } from "./net/read-body.ts";
import { findWebError, WebError, type WebErrorCode } from "./web-error.ts";

const MAX_REDIRECTS = 5;
const MAX_ATTEMPTS = 2;
const RETRY_BACKOFF_MS = 300;
/** A server that asks for more patience than this gets its answer told instead of waited for. */
const MAX_RETRY_WAIT_MS = 5000;
const CONNECTIONS_PER_ORIGIN = 4;
/** Of an error page; enough for the sentence that says what is wrong. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
const USER_AGENT = "deputize (web tools for coding agents)";
const REDIRECT_STATUS = new Set([301, 302, 303, 307, 308]);
const RETRY_STATUS = new Set([429, 502, 503, 504]);

export interface SafeClientOptions {
	readonly allowPrivateNetwork: boolean;
	/** Origins the user wrote into the configuration (a SearXNG on localhost): private addresses are fine there. */
	readonly trustedOrigins?: readonly string[];
	readonly resolve?: ResolveHostname;
	readonly cache?: { readonly enabled: boolean; readonly maxEntries: number; readonly ttlMs: number };
	readonly now?: () => number;
}

export interface FetchOptions {
	readonly signal: AbortSignal;
	/** For everything: connecting, redirects, retries and the body. */
	readonly timeoutMs: number;
	/** Limit of decoded bytes, fixed or chosen when type and first bytes are known. */
	readonly maxBytes: number | ((head: BodyHead) => number);
	/** What a body over the limit is: an error (default) or a success with its beginning. */
	readonly onOversize?: "fail" | "truncate";
	readonly method?: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** `refuse` is for requests that carry a key. */
	readonly redirects?: "follow" | "refuse";
}

export interface FetchedBody {
	readonly ok: true;
	/** After redirects. */
	readonly url: string;
	readonly status: number;
	readonly contentType: string;
	readonly headers: ReadonlyMap<string, string>;
	readonly bytes: Uint8Array;
	readonly truncated: boolean;
	readonly redirects: readonly string[];
}

export interface FetchRefusal {
	readonly ok: false;
	readonly code: WebErrorCode;
	readonly message: string;
	readonly status?: number;
	readonly retryAfterMs?: number;
	/** Beginning of the body of an HTTP error, for callers that know its shape. */
	readonly body?: string;
}

export interface SafeClient {
	/** Never rejects. A status other than 2xx is a refusal with `status`. */
	fetchBytes(url: string, options: FetchOptions): Promise<FetchedBody | FetchRefusal>;
	close(): Promise<void>;
}

export function createSafeClient(options: SafeClientOptions): SafeClient {
	const dispatcher = createDispatcher(options);
	const now = options.now ?? Date.now;

	async function fetchBytes(url: string, request: FetchOptions): Promise<FetchedBody | FetchRefusal> {
		const deadline = AbortSignal.timeout(request.timeoutMs);
		const signal = AbortSignal.any([request.signal, deadline]);
		const endsAt = now() + request.timeoutMs;
		try {
			for (let attempt = 1; ; attempt += 1) {
				const outcome = await fetchOnce(url, request, signal, dispatcher, now).catch((error: unknown) =>
					toRefusal(error, url, request, deadline),
				);
				const waitMs = chooseRetryWait(outcome, request, endsAt - now());
				if (attempt >= MAX_ATTEMPTS || waitMs === undefined) return outcome;
				await waitOrAbort(waitMs, signal);
			}
		} catch (error) {
			return toRefusal(error, url, request, deadline);
		}
	}

	return { fetchBytes, close: () => dispatcher.destroy() };
}

function createDispatcher(options: SafeClientOptions): Dispatcher {
	const trusted = new Set(options.trustedOrigins ?? []);
	const agent = new Agent({
		connections: CONNECTIONS_PER_ORIGIN,
		pipelining: 1,
		keepAliveTimeout: 10_000,
		connect: createGuardedConnector({
			resolve: options.resolve ?? resolveWithSystem,
			connectTimeoutMs: 10_000,
			isTrusted: (hostname, port, protocol) =>
				options.allowPrivateNetwork || trusted.has(toOrigin(protocol, hostname, port)),
		}),
	});
	if (!options.cache?.enabled) return agent;
	const maxEntryBytes = 8 * 1024 * 1024;
	return agent.compose(
		createHttpCache({ maxEntries: options.cache.maxEntries, ttlMs: options.cache.ttlMs, maxEntryBytes }),
	);
}

function toOrigin(protocol: string, hostname: string, port: string): string {
	const host = hostname.includes(":") ? `[${hostname}]` : hostname;
	return new URL(`${protocol}//${host}:${port}`).origin;
}

async function resolveWithSystem(hostname: string): ReturnType<ResolveHostname> {
	const addresses = await lookup(hostname, { all: true, verbatim: true });
	return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

async function fetchOnce(
	start: string,
	request: FetchOptions,
	signal: AbortSignal,
	dispatcher: Dispatcher,
	now: () => number,
): Promise<FetchedBody | FetchRefusal> {
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
			...(request.body === undefined ? {} : { body: request.body }),
		});
		const location = response.headers.get("location");
		if (!REDIRECT_STATUS.has(response.status) || location === null)
			return await toOutcome(response, url, request, redirects, now);
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
		throw new WebError(
			"CONTENT_FETCH_FAILED",
			`${from.origin} answered with a redirect, which is not followed here.`,
		);
	if (redirects.length >= MAX_REDIRECTS)
		throw new WebError(
			"CONTENT_FETCH_FAILED",
			`More than ${MAX_REDIRECTS} redirects, the last one at ${from.href}.`,
		);
	const next = URL.parse(location, from.href);
	if (!next)
		throw new WebError("CONTENT_FETCH_FAILED", `${from.href} redirects to something that is not a URL.`);
	return parseWebUrl(next.href);
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
	now: () => number,
): Promise<FetchedBody | FetchRefusal> {
	const contentType = response.headers.get("content-type") ?? "";
	if (!response.ok) return await toStatusRefusal(response, url, now);
	const { maxBytes } = request;
	const body = await readBody(response.body, (firstBytes) =>
		typeof maxBytes === "number" ? maxBytes : maxBytes({ url: url.href, contentType, firstBytes }),
	);
	if (body.truncated && request.onOversize !== "truncate")
		return {
			ok: false,
			code: "CONTENT_FETCH_TOO_LARGE",
			message: `${url.href} is larger than the limit of ${body.bytes.byteLength} bytes.`,
			status: response.status,
		};
	return {
		ok: true,
		url: url.href,
		status: response.status,
		contentType,
		headers: new Map([...response.headers]),
		bytes: body.bytes,
		truncated: body.truncated,
		redirects,
	};
}

async function toStatusRefusal(response: Response, url: URL, now: () => number): Promise<FetchRefusal> {
	const { bytes } = await readBody(response.body, () => MAX_ERROR_BODY_BYTES);
	const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), now());
	const wait = retryAfterMs === undefined ? "" : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
	const gone = response.status === 404 || response.status === 410;
	const hint = gone ? " The page does not exist; search for its new address." : "";
	return {
		ok: false,
		code: "CONTENT_FETCH_FAILED",
		message: `${url.href} answered HTTP ${response.status}.${wait}${hint}`,
		status: response.status,
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		body: new TextDecoder().decode(bytes),
	};
}

function toRefusal(error: unknown, url: string, request: FetchOptions, deadline: AbortSignal): FetchRefusal {
	if (request.signal.aborted) return { ok: false, code: "ABORTED", message: "The call was cancelled." };
	const known = findWebError(error);
	if (known) return { ok: false, code: known.code, message: known.message };
	if (deadline.aborted)
		return {
			ok: false,
			code: "CONTENT_FETCH_TIMEOUT",
			message: `${url} did not answer completely within ${request.timeoutMs} ms.`,
		};
	return {
		ok: false,
		code: "NETWORK_ERROR",
		message: `${url} could not be reached: ${describeCause(error)}.`,
	};
}

function describeCause(error: unknown): string {
	let current = error;
	for (let depth = 0; depth < 8 && current instanceof Error && current.cause instanceof Error; depth += 1)
		current = current.cause;
	if (current instanceof AggregateError && current.errors[0] instanceof Error) current = current.errors[0];
	return current instanceof Error ? current.message || current.name : String(current);
}

/** How long to wait before asking again, or undefined when the outcome is final. */
function chooseRetryWait(
	outcome: FetchedBody | FetchRefusal,
	request: FetchOptions,
	remainingMs: number,
): number | undefined {
	if (outcome.ok) return undefined;
	const isRead = (request.method ?? "GET") === "GET";
	const canRetry =
		outcome.status === undefined
			? outcome.code === "NETWORK_ERROR" && isRead
			: RETRY_STATUS.has(outcome.status) && (isRead || outcome.status === 429);
	if (!canRetry) return undefined;
	const waitMs = outcome.retryAfterMs ?? RETRY_BACKOFF_MS;
	return waitMs <= Math.min(MAX_RETRY_WAIT_MS, remainingMs / 2) ? waitMs : undefined;
}

function waitOrAbort(waitMs: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			signal.removeEventListener("abort", stop);
			resolve();
		}, waitMs);
		const stop = () => {
			clearTimeout(timer);
			reject(signal.reason);
		};
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
}
