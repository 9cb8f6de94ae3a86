export interface SearchHit {
	readonly title: string;
	readonly url: string;
	readonly snippet?: string;
	/** Where the provider says it comes from, such as an engine's name. */
	readonly source?: string;
	readonly publishedAt?: string;
	/** Text that came with the hit, so that nothing has to be fetched. */
	readonly content?: string;
}

interface ProviderSearch {
	readonly query: string;
	readonly count: number;
	/** Full address of the endpoint. */
	readonly endpoint: string;
	readonly key: string;
}

export interface ProviderRequest {
	readonly url: string;
	readonly method: "GET" | "POST";
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** One web search service: how it is asked and how its answer is read. Both are pure; sending is done elsewhere. */
export interface SearchProvider {
	buildRequest(search: ProviderSearch): ProviderRequest;
	/** Throws PARSE_ERROR when the body is not what the service documents. */
	parseHits(body: string, status: number): SearchHit[] | Promise<SearchHit[]>;
	/** What a refusal means for this service in particular. */
	readonly hints?: Readonly<Record<number, string>>;
}
