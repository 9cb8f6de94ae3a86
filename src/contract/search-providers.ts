interface SearchProviderRow {
	/** Empty when everybody runs their own. */
	readonly endpoint: string;
	/** The environment variable with the key, unless the configuration names another one; empty when there is no key. */
	readonly apiKeyEnv: string;
	/** Without which it cannot be asked. */
	readonly needs: "key" | "address" | "nothing";
	/** It has no interface for programs, so it is only asked when the configuration names it. */
	readonly onlyWhenNamed?: true;
}

/**
 * Every web search service, in the order in which they are asked: one row here and one in
 * `tools/web/search/list-search-providers.ts`. Configuration, its keys and defaults, the plan of a search and the keys
 * that a child is given follow from it.
 */
export const SEARCH_PROVIDERS = {
	tavily: { endpoint: "https://api.tavily.com/search", apiKeyEnv: "TAVILY_API_KEY", needs: "key" },
	exa: { endpoint: "https://api.exa.ai/search", apiKeyEnv: "EXA_API_KEY", needs: "key" },
	brave: {
		endpoint: "https://api.search.brave.com/res/v1/web/search",
		apiKeyEnv: "BRAVE_SEARCH_API_KEY",
		needs: "key",
	},
	serper: { endpoint: "https://google.serper.dev/search", apiKeyEnv: "SERPER_API_KEY", needs: "key" },
	perplexity: {
		endpoint: "https://api.perplexity.ai/search",
		apiKeyEnv: "PERPLEXITY_API_KEY",
		needs: "key",
	},
	jina: { endpoint: "https://s.jina.ai/", apiKeyEnv: "JINA_API_KEY", needs: "key" },
	searxng: { endpoint: "", apiKeyEnv: "", needs: "address" },
	duckduckgo: {
		endpoint: "https://html.duckduckgo.com/html/",
		apiKeyEnv: "",
		needs: "nothing",
		onlyWhenNamed: true,
	},
} as const satisfies Readonly<Record<string, SearchProviderRow>>;

export type RemoteSearchProvider = keyof typeof SEARCH_PROVIDERS;

/** `local` searches documentation on this machine. */
export type SearchProviderName = RemoteSearchProvider | "local";

export const REMOTE_SEARCH_PROVIDERS = Object.keys(SEARCH_PROVIDERS) as readonly RemoteSearchProvider[];

export const isOnlyWhenNamed = (provider: RemoteSearchProvider): boolean =>
	"onlyWhenNamed" in SEARCH_PROVIDERS[provider];

interface SearchProviderConfig {
	/** Empty means the provider's public endpoint. */
	readonly baseUrl: string;
	/** Name of the environment variable that contains the key; the key itself is never in a file. */
	readonly apiKeyEnv: string;
}

type SearchProvidersConfig = Readonly<Record<RemoteSearchProvider, SearchProviderConfig>>;

/** Names of the variables with the keys of all providers. */
export function listSearchKeyNames(config: SearchProvidersConfig): readonly string[] {
	return REMOTE_SEARCH_PROVIDERS.map((name) => config[name].apiKeyEnv).filter((name) => name !== "");
}
