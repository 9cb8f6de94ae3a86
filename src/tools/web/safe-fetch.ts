import { lookup } from "node:dns/promises";
import { sleep } from "@deputize/ground";
import { Agent, type Dispatcher } from "undici";
import { createGuardedConnector, type ResolveHostname } from "./net/create-guarded-connector.ts";
import { createHttpCache } from "./net/create-http-cache.ts";
import { fetchOnce } from "./net/fetch-once.ts";
import type { FetchOptions, FetchOutcome } from "./net/fetch-outcome.ts";
import { chooseRetryWait } from "./net/plan-retry.ts";
import { toRefusal } from "./net/to-refusal.ts";

const MAX_ATTEMPTS = 2;
const CONNECTIONS_PER_ORIGIN = 4;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_CACHED_BODY_BYTES = 8 * 1024 * 1024;

export interface SafeClientOptions {
	readonly allowPrivateNetwork: boolean;
	/** Origins the user wrote into the configuration (a SearXNG on localhost): private addresses are fine there. */
	readonly trustedOrigins?: readonly string[];
	readonly resolve?: ResolveHostname;
	readonly cache?: { readonly enabled: boolean; readonly maxEntries: number; readonly ttlMs: number };
}

export function createSafeClient(options: SafeClientOptions) {
	const dispatcher = createDispatcher(options);

	/** Never rejects. A status other than 2xx is a refusal with `status`. */
	async function fetchBytes(url: string, request: FetchOptions): Promise<FetchOutcome> {
		const deadline = AbortSignal.timeout(request.timeoutMs);
		const signal = AbortSignal.any([request.signal, deadline]);
		const endsAt = Date.now() + request.timeoutMs;
		for (let attempt = 1; ; attempt += 1) {
			const outcome = await fetchOnce(url, request, signal, dispatcher).catch((error: unknown) =>
				toRefusal(error, url, request, deadline),
			);
			const waitMs = chooseRetryWait(outcome, request, endsAt - Date.now());
			if (attempt >= MAX_ATTEMPTS || waitMs === undefined) return outcome;
			if (!(await sleep(waitMs, signal))) return toRefusal(signal.reason, url, request, deadline);
		}
	}

	return { fetchBytes, close: (): Promise<void> => dispatcher.destroy() };
}

export type SafeClient = ReturnType<typeof createSafeClient>;

function createDispatcher(options: SafeClientOptions): Dispatcher {
	const trusted = new Set(options.trustedOrigins ?? []);
	const agent = new Agent({
		connections: CONNECTIONS_PER_ORIGIN,
		pipelining: 1,
		keepAliveTimeout: 10_000,
		connect: createGuardedConnector({
			resolve: options.resolve ?? resolveWithSystem,
			connectTimeoutMs: CONNECT_TIMEOUT_MS,
			isTrusted: (hostname, port, protocol) =>
				options.allowPrivateNetwork || trusted.has(toOrigin(protocol, hostname, port)),
		}),
	});
	if (!options.cache?.enabled) return agent;
	return agent.compose(
		createHttpCache({
			maxEntries: options.cache.maxEntries,
			ttlMs: options.cache.ttlMs,
			maxEntryBytes: MAX_CACHED_BODY_BYTES,
		}),
	);
}

function toOrigin(protocol: string, hostname: string, port: string): string {
	const host = hostname.includes(":") ? `[${hostname}]` : hostname;
	return new URL(`${protocol}//${host}:${port}`).origin;
}

export async function resolveWithSystem(hostname: string): ReturnType<ResolveHostname> {
	const addresses = await lookup(hostname, { all: true, verbatim: true });
	return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
