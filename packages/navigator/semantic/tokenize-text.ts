import { rememberResults } from "@deputize/ground";
import { splitPieces } from "../code-index/split-pieces.ts";

/** Turns texts into the numbers that a BERT model was trained on. */
interface Tokenizer {
	/** At most `maxTokens` numbers, the marks at both ends included. */
	tokenize(text: string, maxTokens: number): number[];
}

const LIMITS = { maxPieces: 100, maxChars: 100 };
const ACCENTS = /[\u0300-\u036f]/g;
const WORD_OR_MARK = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

/** `vocabulary` is that of a `tokenizer.json`: pieces, those that continue a word beginning with `##`. */
export function createTokenizer(vocabulary: ReadonlyMap<string, number>): Tokenizer {
	const markOf = (name: string): number => {
		const mark = vocabulary.get(name);
		if (mark === undefined) throw new Error(`the tokenizer has no ${name}`);
		return mark;
	};
	const [first, last, unknown] = [markOf("[CLS]"), markOf("[SEP]"), markOf("[UNK]")];
	const piecesOf = rememberResults((word: string): readonly number[] => {
		const found = splitPieces(vocabulary, word, LIMITS);
		return found.length === 0 ? [unknown] : found;
	});
	return {
		tokenize(text, maxTokens) {
			const tokens = [first];
			for (const [word] of text.toLowerCase().normalize("NFD").replace(ACCENTS, "").matchAll(WORD_OR_MARK)) {
				if (tokens.length >= maxTokens - 1) break;
				tokens.push(...piecesOf(word));
			}
			return [...tokens.slice(0, maxTokens - 1), last];
		},
	};
}
