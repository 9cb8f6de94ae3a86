import { splitIdentifier, stemsOf } from "./code-index/split-identifier.ts";
import { stemsMeet } from "./code-index/stem-word.ts";
import { synonymsOfStem, UNSPACED_SCRIPT } from "./question-words.ts";
import type { SearchTerm } from "./search-terms.ts";

/** A line prepared for many comparisons. */
export interface PreparedText {
	readonly text: string;
	readonly lower: string;
	readonly stems: ReadonlySet<string>;
}

/** How well a text matches a term: 0 not at all, 1 exactly. */
export type TermMatcher = (prepared: PreparedText) => number;

const SYNONYM_MATCH = 0.45;
const GLUED_MATCH = 0.5;
const INSIDE_IDENTIFIER_MATCH = 0.35;
const MIN_GLUED_CHARS = 5;

export function prepareText(text: string): PreparedText {
	return { text, lower: text.toLowerCase(), stems: new Set(stemsOf(text)) };
}

export function createMatcher(term: SearchTerm): TermMatcher {
	if (term.kind === "symbol") return matchSymbol(term.text);
	if (term.kind === "phrase") return matchPhrase(term.text);
	if (term.kind === "compound") return matchCompound(term);
	if (term.kind === "path") return ({ lower }) => (lower.includes(term.text.toLowerCase()) ? 0.6 : 0);
	return matchWord(term.stems[0] ?? "");
}

function matchSymbol(name: string): TermMatcher {
	const lowerName = name.toLowerCase();
	return ({ text, lower }) => {
		if (!lower.includes(lowerName)) return 0;
		return standsAlone(text, name) ? 1 : INSIDE_IDENTIFIER_MATCH;
	};
}

function standsAlone(text: string, name: string): boolean {
	for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
		const before = text[at - 1] ?? " ";
		const after = text[at + name.length] ?? " ";
		if (!/[\w$]/.test(before) && !/[\w$]/.test(after)) return true;
	}
	return false;
}

function matchPhrase(phrase: string): TermMatcher {
	const lowerPhrase = phrase.toLowerCase();
	return ({ text, lower }) => {
		if (text.includes(phrase)) return 1;
		return lower.includes(lowerPhrase) ? 0.8 : 0;
	};
}

function matchCompound(term: SearchTerm): TermMatcher {
	const glued = splitIdentifier(term.text).join("");
	const words = term.stems.map(matchWord);
	return (prepared) => {
		if (prepared.lower.replace(/[-_. ]/g, "").includes(glued)) return 1;
		return words.every((word) => word(prepared) >= 1) ? 0.6 : 0;
	};
}

function matchWord(stem: string): TermMatcher {
	const synonyms = synonymsOfStem(stem);
	const isUnspaced = UNSPACED_SCRIPT.test(stem);
	return ({ lower, stems }) => {
		if (startsWithStem(stems, stem)) return 1;
		if (isUnspaced) return lower.includes(stem) ? 1 : 0;
		if (stem.length >= MIN_GLUED_CHARS && lower.includes(stem)) return GLUED_MATCH;
		return synonyms.some((synonym) => startsWithStem(stems, synonym)) ? SYNONYM_MATCH : 0;
	};
}

function startsWithStem(stems: ReadonlySet<string>, stem: string): boolean {
	if (stems.has(stem)) return true;
	for (const other of stems) if (stemsMeet(other, stem)) return true;
	return false;
}
