import { createMatcher, prepareText } from "./match-terms.ts";
import type { NavigatorToolStep } from "./navigator-input.ts";
import { parseWebSources } from "./parse-web-text.ts";
import { quoteLine } from "./quote-line.ts";
import { DISCLOSURE } from "./render-findings.ts";
import type { SearchTerms } from "./search-terms.ts";

const MAX_PASSAGES = 6;
const MAX_SOURCES = 8;
const MAX_SCANNED_LINES = 4000;
const MIN_PASSAGE_CHARS = 25;

interface Passage {
	readonly text: string;
	readonly source: string;
	readonly score: number;
}

/** Sentences that speak of the task, each with the address it was read at. Undefined when no source was found. */
export function renderResearch(steps: readonly NavigatorToolStep[], terms: SearchTerms): string | undefined {
	const searches = steps.filter(({ tool, isError }) => tool === "web_search" && !isError);
	const titles = new Map(
		searches.flatMap(({ text }) => parseWebSources(text)).map(({ url, title }) => [url, title]),
	);
	const opened = steps.filter(
		({ tool, isError }) => (tool === "fetch_content" || tool === "convert_content") && !isError,
	);
	const passages = bestPassages([...opened, ...searches], terms);
	if (titles.size === 0 && opened.length === 0) return undefined;
	const cited = [
		...new Set([...passages.map(({ source }) => source), ...opened.map(sourceOf), ...titles.keys()]),
	]
		.filter(Boolean)
		.slice(0, MAX_SOURCES);
	const mark = (source: string): string => `[${cited.indexOf(source) + 1}]`;
	const openedAddresses = new Set(opened.map(sourceOf));
	const sections = [
		passages.length === 0
			? "**No passage found** in the sources below that speaks of the question."
			: `**Most relevant passages**\n${passages.map(({ text, source }) => `- ${quoteLine(text)} ${cited.includes(source) ? mark(source) : ""}`.trimEnd()).join("\n")}`,
		`**Sources**\n${cited.map((url, index) => `${index + 1}. ${titles.get(url) ? `${titles.get(url)}: ` : ""}${url}${openedAddresses.has(url) ? "" : " (seen in search results, not opened)"}`).join("\n")}`,
		localNote(searches),
		failures(steps),
		"**Not judged:** whether the sources are right, current or in agreement. The passages are quoted, not summarised.",
		DISCLOSURE,
	];
	return sections.filter((section) => section !== "").join("\n\n");
}

function bestPassages(steps: readonly NavigatorToolStep[], terms: SearchTerms): Passage[] {
	const matchers = terms.terms.map((term) => ({ match: createMatcher(term), weight: term.weight }));
	const passages = new Map<string, Passage>();
	for (const step of steps) {
		for (const text of step.text.split("\n").slice(0, MAX_SCANNED_LINES)) {
			if (text.trim().length < MIN_PASSAGE_CHARS || passages.has(text.trim())) continue;
			const prepared = prepareText(text.slice(0, 600));
			const strengths = matchers.map(({ match, weight }) => match(prepared) * weight);
			const present = strengths.filter((strength) => strength > 0).length;
			const score =
				strengths.reduce((total, strength) => total + strength, 0) *
				(1 + 0.3 * present) *
				(step.tool === "web_search" ? 0.7 : 1);
			if (present >= Math.min(2, matchers.length))
				passages.set(text.trim(), { text, source: sourceOf(step), score });
		}
	}
	return [...passages.values()].sort((a, b) => b.score - a.score).slice(0, MAX_PASSAGES);
}

function sourceOf({ args, text, tool }: NavigatorToolStep): string {
	if (typeof args["url"] === "string") return args["url"];
	if (typeof args["path"] === "string") return args["path"];
	return tool === "fetch_content" ? (parseWebSources(text)[0]?.url ?? "") : "";
}

/** The web tool says so itself when it only searched documents on this machine. */
function localNote(searches: readonly NavigatorToolStep[]): string {
	const local = searches.some(({ text }) =>
		/web was not searched|\blocal (index|documents?|provider)\b|source:? local/i.test(text),
	);
	return local ? "**The web was not searched:** these sources are documents on this machine." : "";
}

function failures(steps: readonly NavigatorToolStep[]): string {
	const failed = steps
		.filter(({ isError }) => isError)
		.map(({ tool, text }) => `- ${tool}: ${(text.split("\n", 1)[0] ?? "").slice(0, 200).toWellFormed()}`);
	return failed.length === 0 ? "" : `**Failed**\n${[...new Set(failed)].slice(0, 5).join("\n")}`;
}
