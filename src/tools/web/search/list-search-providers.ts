import { brave } from "./providers/brave.ts";
import { duckduckgo } from "./providers/duckduckgo.ts";
import { exa } from "./providers/exa.ts";
import { jina } from "./providers/jina.ts";
import { perplexity } from "./providers/perplexity.ts";
import { searxng } from "./providers/searxng.ts";
import { serper } from "./providers/serper.ts";
import { tavily } from "./providers/tavily.ts";
import type { SearchProvider } from "./search-provider.ts";

export const SEARCH_PROVIDERS: readonly SearchProvider[] = [
	tavily,
	exa,
	brave,
	serper,
	perplexity,
	jina,
	searxng,
	duckduckgo,
];
