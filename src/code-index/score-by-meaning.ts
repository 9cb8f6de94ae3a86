import type { CodeIndex, IndexedFile, IndexedPassage } from "./code-index.ts";
import { embedBag, type WordVectors } from "./embed-words.ts";
import { splitIdentifier } from "./split-identifier.ts";

export interface MeaningScore {
	readonly file: IndexedFile;
	/** How near the nearest passages are to the question, from -1 to 1. */
	readonly score: number;
	readonly passage: IndexedPassage;
}

const BEST_SHARE = 0.8;
/** Names of folders that every tree has. */
const EMPTY_NAMES: ReadonlySet<string> = new Set(["lib", "src", "dist", "source", "index"]);

/** Ranks files by how near their passages are to a question in meaning, whatever words they use. */
export function scoreByMeaning(
	index: CodeIndex,
	vectors: WordVectors,
	question: string,
	isWanted: (path: string) => boolean,
): MeaningScore[] {
	const words = splitIdentifier(question).filter((word) => word.length > 1);
	const wanted = embedBag(
		vectors,
		words.map((word) => [word, 1]),
	);
	if (wanted === undefined) return [];
	const dense = denseWords(index, vectors);
	const nearness = dense.vectors.map((vector) => dot(vector, wanted));
	return index.files
		.filter(({ path, passages }) => passages.length > 0 && isWanted(path))
		.flatMap((file) => scoreFile(file, index, dense, nearness) ?? [])
		.sort((a, b) => b.score - a.score);
}

interface DenseWords {
	readonly vectors: readonly (Float32Array | undefined)[];
	readonly width: number;
}

/** A whole identifier is its parts once more. */
function denseWords({ words, wholes }: CodeIndex, vectors: WordVectors): DenseWords {
	return {
		vectors: words.map((word, number) => (wholes.has(number) ? undefined : vectors.vectorOf(word))),
		width: vectors.width,
	};
}

function scoreFile(
	file: IndexedFile,
	index: CodeIndex,
	dense: DenseWords,
	nearness: readonly number[],
): MeaningScore | undefined {
	const pathWords = [...file.pathWords].filter((word) => !EMPTY_NAMES.has(index.words[word] ?? ""));
	let best: { passage: IndexedPassage; score: number } | undefined;
	let second = Number.NEGATIVE_INFINITY;
	for (const passage of file.passages) {
		const score = scorePassage(passage, pathWords, dense, nearness);
		if (best === undefined || score > best.score) {
			second = best?.score ?? second;
			best = { passage, score };
		} else if (score > second) second = score;
	}
	if (best === undefined) return undefined;
	const other = Number.isFinite(second) ? second : best.score;
	return { file, passage: best.passage, score: BEST_SHARE * best.score + (1 - BEST_SHARE) * other };
}

/** Cosine of question and passage: the part along the question is known word by word, the length must be summed. */
function scorePassage(
	{ words, counts }: IndexedPassage,
	pathWords: readonly number[],
	{ vectors, width }: DenseWords,
	nearness: readonly number[],
): number {
	const sum = new Float32Array(width);
	let along = 0;
	const add = (word: number, count: number): void => {
		const vector = vectors[word];
		if (vector === undefined) return;
		const weight = Math.sqrt(Math.min(count, 9));
		along += weight * (nearness[word] ?? 0);
		for (let at = 0; at < width; at += 1) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
	};
	for (const word of pathWords) add(word, 1);
	for (let at = 0; at < words.length; at += 1) add(words[at] ?? 0, counts[at] ?? 1);
	let square = 0;
	for (let at = 0; at < width; at += 1) square += (sum[at] ?? 0) ** 2;
	return square === 0 ? -1 : along / Math.sqrt(square);
}

function dot(left: Float32Array | undefined, right: Float32Array): number {
	if (left === undefined) return 0;
	let sum = 0;
	for (let at = 0; at < right.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
	return sum;
}
