import type { CodeIndex, IndexedFile } from "./code-index.ts";
import { splitIdentifier } from "./split-identifier.ts";

/**
 * The files that contain a text literally. Only those that have all its words are looked into: most of a tree does not
 * have to be read for it.
 */
export function findFilesWith({ words, files }: CodeIndex, text: string): IndexedFile[] {
	const parts = splitIdentifier(text).filter((part) => part.length > 1);
	const wanted = parts.map((part) => {
		const numbers = new Set<number>();
		words.forEach((word, number) => {
			if (word.includes(part)) numbers.add(number);
		});
		return numbers;
	});
	return files.filter(
		(file) => wanted.every((numbers) => hasOneOf(file, numbers)) && file.text.includes(text),
	);
}

function hasOneOf({ passages }: IndexedFile, numbers: ReadonlySet<number>): boolean {
	return passages.some(({ words }) => words.some((word) => numbers.has(word)));
}
