import type { NavigatorCall, NavigatorToolStep, PlannedTurn } from "./navigator-input.ts";
import { parseWebSources } from "./parse-web-text.ts";
import type { SearchTerms } from "./search-terms.ts";

export interface ResearchQuestion {
	readonly task: string;
	readonly terms: SearchTerms;
	readonly tools: ReadonlySet<string>;
}

type Turn = (question: ResearchQuestion, seen: readonly NavigatorToolStep[]) => PlannedTurn;

const MAX_QUERY_CHARS = 300;
const FETCHED_PAGES = 3;
const CONVERTIBLE = /\.(pdf|docx?|pptx?|xlsx?|od[tsp]|epub|rtf|ipynb|csv|html?)$/i;

export const RESEARCH_TURNS: readonly Turn[] = [ask, open];

/** The question as it stands, and once reduced to its telling words. */
function ask({ task, terms, tools }: ResearchQuestion): PlannedTurn {
	const calls: NavigatorCall[] = [];
	if (tools.has("web_search")) calls.push({ tool: "web_search", args: { queries: toQueries(task, terms) } });
	if (tools.has("fetch_content") && terms.urls.length > 0)
		calls.push({ tool: "fetch_content", args: { urls: [...terms.urls] } });
	if (tools.has("convert_content")) {
		for (const { text } of terms.terms.filter(
			({ kind, text: path }) => kind === "path" && CONVERTIBLE.test(path),
		)) {
			calls.push({ tool: "convert_content", args: { path: text } });
		}
	}
	return { calls, note: "Searching for sources." };
}

function toQueries(task: string, { terms }: SearchTerms): string[] {
	const whole = task.replace(/\s+/g, " ").trim().slice(0, MAX_QUERY_CHARS).toWellFormed();
	const telling = terms.filter(({ weight }) => weight >= 1).map(({ text }) => text);
	const reduced = (telling.length > 0 ? telling : terms.map(({ text }) => text))
		.join(" ")
		.slice(0, MAX_QUERY_CHARS)
		.toWellFormed();
	return [...new Set([whole, reduced])].filter((query) => query !== "");
}

function open({ tools, terms }: ResearchQuestion, seen: readonly NavigatorToolStep[]): PlannedTurn {
	if (!tools.has("fetch_content")) return { calls: [], note: "" };
	const known = new Set(terms.urls);
	const found = seen
		.filter(({ tool, isError }) => tool === "web_search" && !isError)
		.flatMap(({ text }) => parseWebSources(text));
	const urls = [...new Set(found.map(({ url }) => url))]
		.filter((url) => !known.has(url))
		.slice(0, FETCHED_PAGES);
	// One call a page: a page that cannot be fetched must not take the others with it.
	return {
		calls: urls.map((url) => ({ tool: "fetch_content", args: { url } })),
		note: `Opening ${urls.length} of the sources.`,
	};
}
