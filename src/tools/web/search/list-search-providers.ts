import type { RemoteSearchProvider } from "../../../contract/search-providers.ts";
import { brave } from "./providers/brave.ts";
import { duckduckgo } from "./providers/duckduckgo.ts";
import { exa } from "./providers/exa.ts";
import { jina } from "./providers/jina.ts";
import { perplexity } from "./providers/perplexity.ts";
import { searxng } from "./providers/searxng.ts";
import { serper } from "./providers/serper.ts";
import { tavily } from "./providers/tavily.ts";
import type { SearchProvider } from "./search-provider.ts";

/** How each provider of the table is asked; a row without an entry here does not compile. */
export const SEARCH_INTERFACES: Readonly<Record<RemoteSearchProvider, SearchProvider>> = {
	tavily,
	exa,
	brave,
	serper,
	perplexity,
	jina,
	searxng,
	duckduckgo,
};
