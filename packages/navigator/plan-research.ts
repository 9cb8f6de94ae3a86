import { collapseSpace } from "@deputize/ground";
import type { NavigatorCall, NavigatorToolStep, PlannedTurn, PlanTurn } from "./navigator-tool-step.ts";
import { parseResponseId, parseWebSources, type WebSource } from "./parse-web-text.ts";
import type { SearchTerms } from "./search-terms.ts";

interface ResearchQuestion {
	readonly task: string;
	readonly terms: SearchTerms;
	readonly tools: ReadonlySet<string>;
}

const MAX_QUERY_CHARS = 300;
const OPENED_SOURCES = 6;
const CONVERTIBLE = /\.(pdf|docx?|pptx?|xlsx?|od[tsp]|epub|rtf|ipynb|csv|html?)$/i;

export const RESEARCH_TURNS: readonly PlanTurn<ResearchQuestion>[] = [planQuestions, open];

/** The question as given, and once reduced to its most specific words. */
function planQuestions({ task, terms, tools }: ResearchQuestion): PlannedTurn {
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
	const whole = collapseSpace(task).slice(0, MAX_QUERY_CHARS).toWellFormed();
	const telling = terms.filter(({ weight }) => weight >= 1).map(({ text }) => text);
	const reduced = (telling.length > 0 ? telling : terms.map(({ text }) => text))
		.join(" ")
		.slice(0, MAX_QUERY_CHARS)
		.toWellFormed();
	return [...new Set([whole, reduced])].filter((query) => query !== "");
}

/** Opens the best sources: pages by their address, documents of this machine from where the search stored them. */
function open({ tools, terms }: ResearchQuestion, seen: readonly NavigatorToolStep[]): PlannedTurn {
	const known = new Set(terms.urls);
	const calls = new Map<string, NavigatorCall>();
	for (const { text } of seen.filter(({ tool, isError }) => tool === "web_search" && !isError)) {
		const responseId = parseResponseId(text);
		for (const source of parseWebSources(text)) {
			const call = known.has(source.url) ? undefined : toOpeningCall(source, responseId, tools);
			if (call !== undefined && !calls.has(source.url)) calls.set(source.url, call);
		}
	}
	const opened = [...calls.values()].slice(0, OPENED_SOURCES);
	return { calls: opened, note: `Opening ${opened.length} of the sources.` };
}

/** One call a source: one that cannot be read must not take the others with it. */
function toOpeningCall(
	source: WebSource,
	responseId: string | undefined,
	tools: ReadonlySet<string>,
): NavigatorCall | undefined {
	if (!source.url.startsWith("file:")) {
		return tools.has("fetch_content") ? { tool: "fetch_content", args: { url: source.url } } : undefined;
	}
	if (responseId === undefined || source.index === undefined || !tools.has("get_search_content"))
		return undefined;
	return { tool: "get_search_content", args: { responseId, urlIndex: source.index } };
}
