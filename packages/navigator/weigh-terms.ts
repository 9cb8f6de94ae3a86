import type { Evidence } from "./collect-evidence.ts";
import { createMatcher, prepareText, type TermMatcher } from "./match-terms.ts";
import type { SearchTerm } from "./search-terms.ts";

export interface WeighedTerm {
	readonly term: SearchTerm;
	readonly match: TermMatcher;
	/** The task's weight times rarity in this tree. */
	readonly value: number;
}

/** Less than one, so that a word which occurs once does not outweigh everything else in the task. */
const RARITY_EXPONENT = 0.8;

/** A term that occurs in few files says more about where the answer is than one that occurs in all of them. */
export function weighTerms(evidence: Evidence, terms: readonly SearchTerm[]): WeighedTerm[] {
	const matchers = terms.map(createMatcher);
	const counts = countFilesWith(evidence, matchers);
	return terms.map((term, index) => {
		const rarity = Math.log(1 + evidence.treeSize / (1 + (counts[index] ?? 0))) ** RARITY_EXPONENT;
		return { term, match: matchers[index] ?? (() => 0), value: term.weight * rarity };
	});
}

function countFilesWith(evidence: Evidence, matchers: readonly TermMatcher[]): number[] {
	const counts = matchers.map(() => 0);
	for (const file of evidence.files.values()) {
		const text = prepareText([...file.lines.values()].join("\n"));
		matchers.forEach((match, index) => {
			if (match(text) >= 1) counts[index] = (counts[index] ?? 0) + 1;
		});
	}
	return counts;
}
