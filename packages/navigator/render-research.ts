import { collapseSpace, cutText } from "@deputize/ground";
import { createMatcher, prepareText } from "./match-terms.ts";
import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import { listErrors } from "./navigator-tool-step.ts";
import { parseParagraphs, parseWebSources } from "./parse-web-text.ts";
import { joinSections } from "./render-row.ts";
import type { SearchTerms } from "./search-terms.ts";

const MAX_PASSAGES = 6;
const MAX_SOURCES = 8;
const MAX_SCANNED_PARAGRAPHS = 2000;
const MAX_SCANNED_CHARS = 1200;
const MAX_QUOTED_CHARS = 320;
const MIN_PASSAGE_CHARS = 40;
/** A question is answered by prose; an example comes with it. */
const CODE_FACTOR = 0.5;
const OPENING_TOOLS: ReadonlySet<string> = new Set([
	"fetch_content",
	"convert_content",
	"get_search_content",
]);

interface Passage {
	readonly text: string;
	readonly source: string;
	readonly score: number;
}

/** Paragraphs about the task, each with the address it was read at. Undefined when no source was found. */
export function renderResearch(steps: readonly NavigatorToolStep[], terms: SearchTerms): string | undefined {
	const searches = steps.filter(({ tool, isError }) => tool === "web_search" && !isError);
	const opened = steps.filter(({ tool, isError }) => OPENING_TOOLS.has(tool) && !isError);
	const titles = new Map(
		searches.flatMap(({ text }) => parseWebSources(text)).map(({ url, title }) => [url, title]),
	);
	if (titles.size === 0 && opened.length === 0) return undefined;
	const passages = bestPassages(opened.length > 0 ? opened : searches, terms);
	const openedSources = opened.map(sourceOf).filter((source) => source !== "");
	const named = [...passages.map(({ source }) => source), ...openedSources, ...titles.keys()];
	const cited = [...new Set(named)].filter((source) => source !== "").slice(0, MAX_SOURCES);
	const sections = [
		renderPassages(passages, cited),
		renderSources(cited, titles, new Set(openedSources)),
		renderLocalNote(searches),
		renderFailures(steps),
		"**Not judged:** whether the sources are right, current or in agreement. The passages are quoted, not summarized.",
	];
	return joinSections(sections, "\n\n");
}

function renderPassages(passages: readonly Passage[], cited: readonly string[]): string {
	if (passages.length === 0) return "**No passage found** in the sources below that matches the question.";
	const rows = passages.map(({ text, source }) => {
		const mark = cited.includes(source) ? ` [${cited.indexOf(source) + 1}]` : "";
		return `- “${toProse(text)}”${mark}`;
	});
	return ["**Most relevant passages**", ...rows].join("\n");
}

function toProse(text: string): string {
	return cutText(collapseSpace(text.replace(/^(```|~~~)\S*|(```|~~~)$/g, "")), MAX_QUOTED_CHARS);
}

function renderSources(
	cited: readonly string[],
	titles: ReadonlyMap<string, string>,
	opened: ReadonlySet<string>,
): string {
	const rows = cited.map((url, index) => {
		const title = titles.get(url) ?? "";
		const seen = opened.has(url) ? "" : " (seen in search results, not opened)";
		return `${index + 1}. ${title === "" ? "" : `${title}: `}${url}${seen}`;
	});
	return ["**Sources**", ...rows].join("\n");
}

function bestPassages(steps: readonly NavigatorToolStep[], terms: SearchTerms): Passage[] {
	const score = createParagraphScore(terms);
	const passages = new Map<string, Passage>();
	for (const step of steps) {
		const source = sourceOf(step);
		for (const text of parseParagraphs(step.text).slice(0, MAX_SCANNED_PARAGRAPHS)) {
			const value = score(text) * (/^(```|~~~)/.test(text) ? CODE_FACTOR : 1);
			const isListOfHits = step.tool === "web_search" && /^\s*\[\d+\]/.test(text);
			if (value > 0 && !isListOfHits && !passages.has(text))
				passages.set(text, { text, source, score: value });
		}
	}
	return [...passages.values()].sort((a, b) => b.score - a.score).slice(0, MAX_PASSAGES);
}

/** Two of the task's terms make a paragraph worth quoting; more of them, and rarer mention of others, make it better. */
function createParagraphScore({ terms }: SearchTerms): (text: string) => number {
	const matchers = terms.map((term) => ({ match: createMatcher(term), weight: term.weight }));
	return (text) => {
		if (text.length < MIN_PASSAGE_CHARS) return 0;
		const prepared = prepareText(text.slice(0, MAX_SCANNED_CHARS));
		const strengths = matchers.map(({ match, weight }) => match(prepared) * weight);
		const present = strengths.filter((strength) => strength > 0).length;
		if (present < Math.min(2, matchers.length)) return 0;
		return strengths.reduce((total, strength) => total + strength, 0) * (1 + 0.3 * present);
	};
}

function sourceOf({ args, text, tool }: NavigatorToolStep): string {
	if (typeof args["url"] === "string") return args["url"];
	if (typeof args["path"] === "string") return args["path"];
	if (tool === "web_search") return "";
	return /^url: (\S+)/m.exec(text)?.[1] ?? parseWebSources(text)[0]?.url ?? "";
}

/** The web tool says so itself when it only searched documents on this machine. */
function renderLocalNote(searches: readonly NavigatorToolStep[]): string {
	const local = searches.some(({ text }) => /^answered by: local\b|web was not searched/im.test(text));
	return local ? "**The web was not searched:** these sources are documents on this machine." : "";
}

function renderFailures(steps: readonly NavigatorToolStep[]): string {
	const failed = listErrors(steps).map((error) => `- ${error}`);
	return failed.length === 0 ? "" : ["**Failed**", ...new Set(failed)].slice(0, 6).join("\n");
}
