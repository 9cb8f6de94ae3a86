import { join } from "node:path";
import { defined, mapWithLimit } from "@deputize/ground";
import type { WebConfig } from "../../contract/config.ts";
import { REMOTE_SEARCH_PROVIDERS, type SearchProviderName } from "../../contract/search-providers.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { chooseCacheDirectory, createLocalSearch } from "./local/create-local-search.ts";
import { findAddressObjection, isIpLiteral, stripBrackets } from "./net/check-address.ts";
import { findHostnameObjection } from "./net/check-hostname.ts";
import type { ResolveHostname } from "./net/create-guarded-connector.ts";
import { type ConcurrencyLimit, createConcurrencyLimit } from "./net/limit-concurrency.ts";
import { createPageConverter } from "./pages/create-page-converter.ts";
import { createPageFetcher, type PageFetcher } from "./pages/create-page-fetcher.ts";
import { GITHUB_ENDPOINTS } from "./pages/github-page.ts";
import { READER_ENDPOINT } from "./pages/read-with-reader.ts";
import { createSafeClient, resolveWithSystem } from "./safe-fetch.ts";
import { askProvider } from "./search/ask-provider.ts";
import { planProviders } from "./search/plan-providers.ts";
import type { SearchHit } from "./search/search-provider.ts";
import type { WebSessionOptions } from "./web-tools-options.ts";

export interface WebSession {
	readonly config: WebConfig;
	/** In the order in which they are asked. */
	readonly providers: readonly SearchProviderName[];
	readonly limit: ConcurrencyLimit;
	readonly fetchPage: PageFetcher;
	mapLimited<Item, Value>(items: readonly Item[], work: (item: Item) => Promise<Value>): Promise<Value[]>;
	askProvider(
		provider: SearchProviderName,
		query: string,
		count: number,
		context: ToolContext,
	): Promise<{ hits: readonly SearchHit[]; note?: string }>;
}

/**
 * Everything heavy, wired once and used by all calls: one client for pages, one for the services of the
 * configuration, one converter, one local index.
 */
export function openWebSession(options: WebSessionOptions): WebSession {
	const { config, env, resolve = resolveWithSystem } = options;
	const shared = { allowPrivateNetwork: config.allowPrivateNetwork, resolve };
	const client = createSafeClient({ ...shared, cache: config.cache });
	// Apart from the client for pages: a page must not reach a private service because its user searches with it.
	const serviceClient = createSafeClient({ ...shared, trustedOrigins: listConfiguredOrigins(config) });
	const limit = createConcurrencyLimit(config.concurrency);
	const { home, files = { agentDirectory: join(home, ".pi", "agent") } } = options;
	const searchLocally = createLocalSearch(chooseCacheDirectory(env, home), { home, ...files });
	const fetchPage = createPageFetcher({
		config,
		client,
		convertPage: createPageConverter(),
		github: options.githubEndpoints ?? GITHUB_ENDPOINTS,
		reader: { endpoint: options.readerEndpoint ?? READER_ENDPOINT, key: env[config.jina.apiKeyEnv] ?? "" },
		isPublicHost: (hostname) => isPublicHost(hostname, resolve),
		...defined({ convertDocument: options.convertDocument }),
	});

	async function ask(name: SearchProviderName, query: string, count: number, context: ToolContext) {
		const { signal } = context;
		if (name === "local") {
			const found = await searchLocally(query, { root: context.cwd, count, signal });
			const extent = found.isPartial ? "the most important" : "all";
			return {
				hits: found.hits,
				note: `${extent} ${found.files} documents of the project and its installed packages were searched`,
			};
		}
		const hits = await limit.run(
			() => askProvider({ name, config, env, client: serviceClient, query, count, signal }),
			{ signal },
		);
		return { hits };
	}

	return {
		config,
		providers: chooseProviders(config, env),
		limit,
		fetchPage,
		mapLimited: (items, work) => mapWithLimit(items, config.concurrency.maxConcurrent, work),
		askProvider: ask,
	};
}

/** An explicit provider is asked even when it cannot work, so that its own error says what is missing. */
function chooseProviders(config: WebConfig, env: WebSessionOptions["env"]): SearchProviderName[] {
	if (config.provider !== "auto") return [config.provider];
	return planProviders(config, env)
		.filter((planned) => planned.usable)
		.map((planned) => planned.provider);
}

function listConfiguredOrigins(config: WebConfig): string[] {
	return REMOTE_SEARCH_PROVIDERS.map((name) => URL.parse(config[name].baseUrl)?.origin).filter(
		(origin) => origin !== undefined,
	);
}

async function isPublicHost(hostname: string, resolve: ResolveHostname): Promise<boolean> {
	const host = stripBrackets(hostname);
	if (isIpLiteral(host)) return findAddressObjection(host) === undefined;
	if (findHostnameObjection(host) !== undefined) return false;
	try {
		const addresses = await resolve(host);
		return (
			addresses.length > 0 && addresses.every(({ address }) => findAddressObjection(address) === undefined)
		);
	} catch {
		return false;
	}
}
