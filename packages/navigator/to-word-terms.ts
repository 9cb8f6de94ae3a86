import type { WordTerm } from "./code-index/score-by-words.ts";
import { splitIdentifier } from "./code-index/split-identifier.ts";
import { stemsMeet } from "./code-index/stem-word.ts";
import { synonymsOfStem, UNSPACED_SCRIPT } from "./question-words.ts";
import type { SearchTerm } from "./search-terms.ts";

const SYNONYM_STRENGTH = 0.45;
const GLUED_STRENGTH = 0.5;
const MIN_GLUED_CHARS = 5;
const WHOLE_IDENTIFIER_SHARE = 0.5;
const PART_OF_IDENTIFIER_WEIGHT = 0.5;
const PART_OF_PHRASE_WEIGHT = 1.3;

/** What each term of a task looks like among the numbered words of an index. */
export function toWordTerms(terms: readonly SearchTerm[]): WordTerm[] {
	return terms.flatMap((term): WordTerm[] => {
		if (term.kind === "word") return [wordTerm(term.stems[0] ?? "", term.weight)];
		const partWeight = term.kind === "symbol" ? PART_OF_IDENTIFIER_WEIGHT : PART_OF_PHRASE_WEIGHT;
		const parts = term.stems.map((stem) => wordTerm(stem, partWeight));
		return term.kind === "phrase" ? parts : [wholeTerm(term), ...parts];
	});
}

function wholeTerm({ text, weight }: SearchTerm): WordTerm {
	const whole = splitIdentifier(text).join("");
	return { weight: weight * WHOLE_IDENTIFIER_SHARE, strengthOf: (word) => (word === whole ? 1 : 0) };
}

function wordTerm(stem: string, weight: number): WordTerm {
	const synonyms = synonymsOfStem(stem);
	const isUnspaced = UNSPACED_SCRIPT.test(stem);
	return {
		weight,
		strengthOf(word, wordStem) {
			if (stemsMeet(wordStem, stem)) return 1;
			if (isUnspaced) return word.includes(stem) ? 1 : 0;
			if (synonyms.some((synonym) => stemsMeet(wordStem, synonym))) return SYNONYM_STRENGTH;
			return stem.length >= MIN_GLUED_CHARS && word.includes(stem) ? GLUED_STRENGTH : 0;
		},
	};
}
