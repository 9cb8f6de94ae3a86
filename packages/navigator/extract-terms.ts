import { splitIdentifier } from "./code-index/split-identifier.ts";
import { stemWord } from "./code-index/stem-word.ts";
import {
	joinTwoWordVerbs,
	OVERVIEW_WORDS,
	STOP_WORDS,
	UNSPACED_SCRIPT,
	WEAK_WORDS,
} from "./question-words.ts";
import type { SearchTerm, SearchTerms, TaskWishes } from "./search-terms.ts";
import { takeNames } from "./take-names.ts";

/** A task can contain a pasted file; what it asks for is at its beginning. */
const MAX_SCANNED_CHARS = 20_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f\ufffd]/g;
const UNBROKEN_RUN = /[!-~]{300,}/g;
const MAX_WORDS = 8;
const MAX_WORD_CHARS = 60;
const WEAK_WEIGHT = 0.35;
const ACRONYM_WEIGHT = 1.2;
const WISH_STEMS: ReadonlySet<string> = new Set([
	"test",
	"spec",
	"doc",
	"document",
	"documentat",
	"readm",
	"changelog",
]);
const USAGE_STEMS: ReadonlySet<string> = new Set([
	"call",
	"caller",
	"usag",
	"user",
	"referenc",
	"invok",
	"import",
]);
const PLURAL_ACRONYM = /^\p{Lu}{2,}s$/u;

/** Takes from a task what can be searched for: names, quoted text, paths, and the words that carry its meaning. */
export function extractTerms(task: string): SearchTerms {
	const scanned = toCleanText(task.slice(0, MAX_SCANNED_CHARS));
	const named = takeNames(scanned);
	const words = takeWords(joinTwoWordVerbs(named.rest));
	const terms = uniqueTerms([...named.terms, ...words]);
	const wishes = toWishes(scanned, terms);
	return { terms: lightenWishes(terms, wishes), urls: named.urls, wishes };
}

/** "tests of the parser" and "who calls the parser" are about the parser: the rest is known from the wishes. */
function lightenWishes(terms: readonly SearchTerm[], wishes: TaskWishes): SearchTerm[] {
	const has = (stems: ReadonlySet<string>, { kind, stems: [stem = ""] }: SearchTerm): boolean =>
		kind === "word" && stems.has(stem);
	const telling = terms.filter((term) => !has(WISH_STEMS, term) && !has(USAGE_STEMS, term));
	if (telling.length === 0) return [...terms];
	return terms
		.filter((term) => !(wishes.usages && has(USAGE_STEMS, term)))
		.map((term) => (has(WISH_STEMS, term) ? { ...term, weight: WEAK_WEIGHT } : term));
}

/**
 * Control characters cannot be typed into a search and lone surrogates cannot be passed to a process. Encoded data without
 * any space names nothing, and would keep the patterns that look for names busy for minutes.
 */
function toCleanText(text: string): string {
	return text.toWellFormed().replace(UNPRINTABLE, " ").replace(UNBROKEN_RUN, " ");
}

function takeWords(text: string): SearchTerm[] {
	const found: SearchTerm[] = [];
	for (const token of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
		for (const word of UNSPACED_SCRIPT.test(token) ? segment(token) : [token]) {
			const term = toWordTerm(word);
			if (term !== undefined) found.push(term);
		}
	}
	return preferMeaningful(found);
}

function segment(token: string): string[] {
	const segmenter = new Intl.Segmenter("und", { granularity: "word" });
	return [...segmenter.segment(token)].map((part) => part.segment).filter((part) => part.length > 1);
}

function toWordTerm(word: string): SearchTerm | undefined {
	const lower = word.toLowerCase();
	if (STOP_WORDS.has(lower) || word.length > MAX_WORD_CHARS || /^\d{1,3}$/.test(word)) return undefined;
	if (word.length < 2) return undefined;
	const singular = PLURAL_ACRONYM.test(word) ? lower.slice(0, -1) : lower;
	return { text: word, kind: "word", stems: [stemWord(singular)], weight: weightOf(word, lower) };
}

function weightOf(word: string, lower: string): number {
	if (WEAK_WORDS.has(lower)) return WEAK_WEIGHT;
	return /^\p{Lu}{2,}(\d*|s)$/u.test(word) ? ACRONYM_WEIGHT : 1;
}

/** Keeps the order of the task, drops weak words first when there are too many. */
function preferMeaningful(found: readonly SearchTerm[]): SearchTerm[] {
	const unique = uniqueTerms(found);
	const strong = unique.filter((term) => term.weight > WEAK_WEIGHT).slice(0, MAX_WORDS);
	const room = MAX_WORDS - strong.length;
	const weak = new Set(unique.filter((term) => term.weight <= WEAK_WEIGHT).slice(0, room));
	return unique.filter((term) => weak.has(term) || strong.includes(term));
}

function uniqueTerms(terms: readonly SearchTerm[]): SearchTerm[] {
	const byKey = new Map<string, SearchTerm>();
	for (const term of terms) {
		const key = term.kind === "word" ? `word ${term.stems[0]}` : `${term.kind} ${term.text}`;
		if (!byKey.has(key)) byKey.set(key, term);
	}
	return [...byKey.values()];
}

function toWishes(task: string, terms: readonly SearchTerm[]): TaskWishes {
	return {
		tests:
			/\b(tests|specs|test (cases?|suites?|files?|coverage|for|of|that|covers|checks)|(which|what) test|unit test|tested|covered by|coverage)\b/i.test(
				task,
			),
		documents: /\b(docs?|documentation|documented|readme|guide|manual)\b/i.test(task),
		documentsOnly:
			/\bdocumented\b|\b(?:which|what) (?:docs?|document|documentation|page|guide|manual|readme)\b|\b(?:in|from) the (?:docs|documentation|readme|manual|guide)\b|\b(?:docs|documentation|readme|manual|guide) (?:for|of|about|on|says?|describ\w+|explain\w*)\b/i.test(
				task,
			),
		examples:
			/\b(?:examples?|samples?|demos?) (?:of|for|that|which|show\w*|us(?:e|es|ing))\b|\b(?:which|what|any|an) (?:examples?|samples?|demos?)\b/i.test(
				task,
			),
		changelog: /\b(changelog|release notes|released|history of changes)\b/i.test(task),
		types: /\b(types?|typings?|declarations?|d\.ts|interfaces?)\b/i.test(task),
		usages:
			/\b(usages?|callers?|references?|who (calls|uses|imports)|(is|are|gets?) (\S+ ){0,4}(used|called|imported|referenced)|(calls|uses|imports|references) (to|of|the)?|call sites?)\b/i.test(
				task,
			),
		failures:
			/\b(thrown?|throws|throwing|rais(?:e|es|ed|ing)|come from|comes from|complain\w*|reject\w*|refus\w*|emitted|reported|fail(?:s|ed)?)\b/i.test(
				task,
			),
		overview: asksForOverview(task, terms),
		earlier:
			/\b(did i|have i|i) (just )?(ask|asked|say|said|tell|told)\b|\b(first|previous|earlier|last) (task|question|answer)\b/i.test(
				task,
			),
	};
}

function asksForOverview(task: string, terms: readonly SearchTerm[]): boolean {
	if (terms.some((term) => term.kind !== "word")) return false;
	const specific = terms.filter((term) => term.weight > WEAK_WEIGHT && !isOverviewWord(term.text));
	if (specific.length > 0) return false;
	return terms.some((term) => isOverviewWord(term.text)) || /\bwhat (is|does) (this|it)\b/i.test(task);
}

function isOverviewWord(word: string): boolean {
	return splitIdentifier(word).some((part) => OVERVIEW_WORDS.has(part));
}
