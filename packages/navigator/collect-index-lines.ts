import { defined } from "@deputize/ground";
import type { CodeIndex, IndexedFile } from "./code-index/code-index.ts";
import { splitIdentifier } from "./code-index/split-identifier.ts";
import { type FileEvidence, MAX_LINE_CHARS } from "./collect-evidence.ts";
import { synonymsOfStem } from "./question-words.ts";
import type { SearchTerm } from "./search-terms.ts";

/** The lines of a file on which one of the terms may be: a quick look, judged line by line afterwards. */
export function collectIndexLines(
	{ syntax }: Pick<CodeIndex, "syntax">,
	file: IndexedFile,
	terms: readonly SearchTerm[],
): FileEvidence {
	const needles = [...new Set(terms.flatMap(needlesOf))].filter((needle) => needle !== "");
	const lines = new Map<number, string>();
	file.text.split("\n").forEach((text, index) => {
		const lower = text.toLowerCase();
		if (needles.some((needle) => lower.includes(needle))) lines.set(index + 1, text.slice(0, MAX_LINE_CHARS));
	});
	return {
		path: file.path,
		lines,
		definitions: new Set(),
		...defined({ facts: syntax?.factsOf(file) }),
	};
}

function needlesOf({ kind, text, stems }: SearchTerm): string[] {
	const lower = text.toLowerCase();
	if (kind === "word") return stems.flatMap((stem) => [stem, ...synonymsOfStem(stem)]).map(toPrefix);
	if (kind === "path") return [];
	const words = stems.map(toPrefix);
	return kind === "compound" || kind === "phrase"
		? [lower, splitIdentifier(text).join(""), ...words]
		: [lower];
}

/** A final "i" of a stem can stand for a "y". */
function toPrefix(stem: string): string {
	return stem.length > 3 && stem.endsWith("i") ? stem.slice(0, -1) : stem;
}
