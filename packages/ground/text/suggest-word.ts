import { findNearWord } from "./find-near-word.ts";

/** For a word that nobody knows: which was probably meant, or which there are. */
export function suggestWord(word: string, known: readonly string[], title: string): string {
	const near = findNearWord(word, known);
	return near === undefined ? `${title}: ${known.join(", ")}.` : `Did you mean ${near}?`;
}
