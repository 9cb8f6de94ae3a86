import type { Steps } from "@deputize/ground";
import type { FileWords, IndexedPassage } from "./code-index.ts";
import type { Vocabulary } from "./collect-vocabulary.ts";
import { splitPassages } from "./split-passages.ts";

const ASCII_WORD = /[A-Za-z0-9_$]+/g;
const ANY_WORD = /[\p{L}\p{N}\p{M}_$]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there
const NOT_ASCII = /[^\u0000-\u007f]/;
const DEFINED_NAME =
	/\b(?:function\*?|class|interface|type|enum|const|let|var|val|def|fn|func|struct|trait)\s+(?:\([^)\n]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|^[ \t]*(?:(?:async|static|get|set|public|private|protected|final)\s+)*#?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^)\n]*\)\s*\{|(?:exports|prototype)\.([\p{L}_$][\p{L}\p{N}_$]*)\s*=/gmu;
/** Languages that write the type of a function before its name. */
const TYPED_FIRST = /\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|java|cs|m|mm|d|dart|groovy)$/;
const TYPED_NAME =
	/^[ \t]{0,8}(?!(?:if|for|while|switch|return|else|do|case|catch|throw|new|delete|using|goto|assert)\b)(?:[\w:<>,*&[\]?.]+[ \t]+[*&]*){0,6}?(?:[\w<>]+::)*~?([A-Za-z_]\w*)[ \t]*\([^;\n]*$/gm;

/** One file as numbered words, passage by passage. */
export function* indexFile(path: string, text: string, vocabulary: Vocabulary): Steps<FileWords> {
	const pattern = NOT_ASCII.test(text) ? ANY_WORD : ASCII_WORD;
	let length = 0;
	const passages: IndexedPassage[] = [];
	for (const { start, end, first, last } of splitPassages(text)) {
		const counts = countWords(text.slice(start, end).match(pattern) ?? [], vocabulary);
		if (counts.size === 0) continue;
		for (const count of counts.values()) length += count;
		passages.push({
			first,
			last,
			words: Uint32Array.from(counts.keys()),
			counts: Uint8Array.from(counts.values(), (count) => Math.min(count, 255)),
		});
		yield;
	}
	return {
		passages,
		length,
		pathWords: Uint32Array.from(countWords(path.match(ANY_WORD) ?? [], vocabulary).keys()),
		definedWords: definedWords(
			text,
			TYPED_FIRST.test(path) ? [DEFINED_NAME, TYPED_NAME] : [DEFINED_NAME],
			vocabulary,
		),
	};
}

function countWords(identifiers: readonly string[], vocabulary: Vocabulary): Map<number, number> {
	const counts = new Map<number, number>();
	for (const identifier of identifiers) {
		for (const word of vocabulary.numbersOf(identifier)) counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	return counts;
}

function definedWords(
	text: string,
	patterns: readonly RegExp[],
	vocabulary: Vocabulary,
): ReadonlySet<number> {
	const found = new Set<number>();
	for (const pattern of patterns)
		for (const match of text.matchAll(pattern))
			for (const word of vocabulary.numbersOf(match[1] ?? match[2] ?? match[3] ?? "")) found.add(word);
	return found;
}
