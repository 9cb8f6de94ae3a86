import { finishSteps } from "@deputize/ground";
import type { CodeIndex } from "./code-index.ts";
import { createVocabulary } from "./collect-vocabulary.ts";
import { indexFile } from "./index-file.ts";

/** An index of texts that were read already, by path. */
export function indexTexts(
	texts: Iterable<readonly [path: string, text: string]>,
	{ leftOut, cutOff }: Pick<CodeIndex, "leftOut" | "cutOff"> = { leftOut: 0, cutOff: 0 },
): CodeIndex {
	const vocabulary = createVocabulary();
	const files = [...texts].map(([path, text]) => ({
		path,
		text,
		...finishSteps(indexFile(path, text, vocabulary)),
	}));
	const { words, stems, wholes } = vocabulary;
	return { words, stems, wholes, files, leftOut, cutOff };
}
