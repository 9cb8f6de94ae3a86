import { rememberResults } from "@deputize/ground";
import type { KnownWords } from "./code-index.ts";
import { splitIdentifier } from "./split-identifier.ts";
import { stemWord } from "./stem-word.ts";

export interface Vocabulary extends KnownWords {
	/** Numbers of the parts of an identifier, and of the whole when it has several parts. */
	numbersOf(identifier: string): readonly number[];
}

/** Longer runs are encoded data, which nobody asks for by a part of it. */
const MAX_IDENTIFIER_CHARS = 80;
export const NO_WORDS: KnownWords = { words: [], stems: [], wholes: new Set() };

/**
 * Numbers words in the order they are first seen, after those that are known already. Identifiers repeat, so each is
 * taken apart only once.
 */
export function createVocabulary(before: KnownWords = NO_WORDS): Vocabulary {
	const words = [...before.words];
	const stems = [...before.stems];
	const wholes = new Set(before.wholes);
	const numbers = new Map(words.map((word, number) => [word, number]));
	const numberOf = (word: string): number => {
		const seen = numbers.get(word);
		if (seen !== undefined) return seen;
		numbers.set(word, words.length);
		words.push(word);
		stems.push(stemWord(word));
		return words.length - 1;
	};
	const takeApart = (identifier: string): readonly number[] => {
		if (identifier.length > MAX_IDENTIFIER_CHARS) return [];
		const parts = splitIdentifier(identifier);
		const telling = parts.filter((part) => part.length > 1 || part > "\u007f").map(numberOf);
		for (const part of telling) wholes.delete(part);
		if (parts.length === 1) return telling;
		const isNew = !numbers.has(parts.join(""));
		const whole = numberOf(parts.join(""));
		if (isNew) wholes.add(whole);
		return [...telling, whole];
	};
	return { words, stems, wholes, numbersOf: rememberResults(takeApart) };
}
