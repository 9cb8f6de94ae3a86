import { finishSteps, mapSteps, type Steps } from "@deputize/ground";
import type { CodeIndex, IndexedFile } from "./code-index.ts";
import { splitIdentifier } from "./split-identifier.ts";

export function findFilesWith(index: CodeIndex, text: string): IndexedFile[] {
	return finishSteps(lookForFilesWith(index, text));
}

/**
 * The files that contain a text literally. Only those that have all its words are looked into: most of a tree does not
 * have to be read for it.
 */
export function* lookForFilesWith({ words, files }: CodeIndex, text: string): Steps<IndexedFile[]> {
	const parts = splitIdentifier(text).filter((part) => part.length > 1);
	const wanted = parts.map((part) => {
		const numbers = new Set<number>();
		words.forEach((word, number) => {
			if (word.includes(part)) numbers.add(number);
		});
		return numbers;
	});
	const found = yield* mapSteps(files, (file) =>
		wanted.every((numbers) => hasOneOf(file, numbers)) && file.text.includes(text) ? [file] : [],
	);
	return found.flat();
}

function hasOneOf({ passages }: IndexedFile, numbers: ReadonlySet<number>): boolean {
	return passages.some(({ words }) => words.some((word) => numbers.has(word)));
}
