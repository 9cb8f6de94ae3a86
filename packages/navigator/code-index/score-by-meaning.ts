import { mapSteps, rememberResults, type Steps } from "@deputize/ground";
import type { CodeIndex, IndexedFile, IndexedPassage } from "./code-index.ts";
import { embedBag, type WordVectors, weighCount } from "./embed-words.ts";
import { splitIdentifier } from "./split-identifier.ts";

export interface MeaningScore {
	readonly file: IndexedFile;
	/** How near the nearest passages are to the question, from -1 to 1. */
	readonly score: number;
	/** The nearest ones, at least one, nearest first. */
	readonly passages: readonly [IndexedPassage, ...IndexedPassage[]];
	/** How near the words of its path, and of the names it defines, are to the question. */
	readonly path: number;
	readonly names: number;
}

const BEST_SHARE = 0.8;
const MAX_KEPT_PASSAGES = 3;
/** Names of folders that every tree has. */
const EMPTY_NAMES: ReadonlySet<string> = new Set(["lib", "src", "dist", "source", "index"]);
/** Names of folders, and endings. */
const EMPTY_PATH_WORDS: ReadonlySet<string> = new Set([
	...EMPTY_NAMES,
	...["js", "ts", "py", "go", "rs", "cjs", "mjs", "tsx", "jsx", "java", "rb", "php"],
]);
/** Of more files, a rough look decides which are worth a close one. */
const MAX_CLOSE_FILES = 240;
/** A rough look uses one number of every so many. */
const ROUGH_STEP = 8;
/** Of still more files, a glance decides which are worth a rough look. */
const MAX_ROUGH_FILES = 720;

/** Ranks files by how near their passages are to a question in meaning, whatever words they use. */
export function* scoreByMeaning(
	index: CodeIndex,
	vectors: WordVectors,
	question: string,
	isWanted: (file: IndexedFile) => boolean,
): Steps<MeaningScore[]> {
	const words = splitIdentifier(question).filter((word) => word.length > 1);
	const wanted = embedEach(vectors, words);
	if (wanted === undefined) return [];
	const files = index.files.filter((file) => file.passages.length > 0 && isWanted(file));
	const close = createLook(index, vectors, wanted, 1);
	const glanced = files.length <= MAX_ROUGH_FILES ? files : yield* glance(files, index, vectors, wanted);
	const rough =
		glanced.length <= MAX_CLOSE_FILES
			? undefined
			: yield* rank(glanced, createLook(index, vectors, wanted, ROUGH_STEP));
	const looked = rough?.slice(0, MAX_CLOSE_FILES).map(({ file }) => file) ?? glanced;
	const ranked = yield* rank(looked, close);
	return ranked.map((found) => {
		const { pathWords, definedWords } = found.file;
		const near = (numbers: Iterable<number>): number => nearnessOf(numbers, index, vectors, wanted);
		return { ...found, path: near(pathWords), names: near(definedWords) };
	});
}

/**
 * The files that are nearest when words are taken for independent of each other: then the length of a passage is the root of
 * the sum of their squares, and no vector has to be summed.
 */
function* glance(
	files: readonly IndexedFile[],
	{ words, wholes }: CodeIndex,
	vectors: WordVectors,
	wanted: Float32Array,
): Steps<readonly IndexedFile[]> {
	const along = new Float32Array(words.length);
	const square = new Float32Array(words.length);
	const seen = new Uint8Array(words.length);
	const learnWord = (number: number): void => {
		seen[number] = 1;
		const vector = wholes.has(number) ? undefined : vectors.vectorOf(words[number] ?? "");
		if (vector === undefined) return;
		along[number] = dot(vector, wanted);
		square[number] = dot(vector, vector);
	};
	const scored = yield* mapSteps(files, (file) => {
		let best = -1;
		for (const { words: inside, counts } of file.passages) {
			let total = 0;
			let length = 0;
			for (let at = 0; at < inside.length; at += 1) {
				const number = inside[at] ?? 0;
				if (seen[number] === 0) learnWord(number);
				const weight = weighCount(counts[at] ?? 1);
				total += weight * (along[number] ?? 0);
				length += weight * weight * (square[number] ?? 0);
			}
			if (length > 0) best = Math.max(best, total / Math.sqrt(length));
		}
		return { file, best };
	});
	return scored
		.sort((a, b) => b.best - a.best)
		.slice(0, MAX_ROUGH_FILES)
		.map(({ file }) => file);
}

function nearnessOf(
	numbers: Iterable<number>,
	{ words, wholes }: CodeIndex,
	vectors: WordVectors,
	wanted: Float32Array,
): number {
	const telling = [...numbers]
		.filter((number) => !wholes.has(number))
		.map((number) => words[number] ?? "")
		.filter((word) => !EMPTY_PATH_WORDS.has(word));
	const vector = embedEach(vectors, telling);
	return vector === undefined ? 0 : dot(vector, wanted);
}

function embedEach(vectors: WordVectors, words: readonly string[]): Float32Array | undefined {
	const bag = words.map((word) => [word, 1] as const);
	return embedBag(vectors, bag);
}

interface KnownWord {
	readonly vector: Float32Array;
	/** Its part in the direction of the question. */
	readonly along: number;
}

type PassageScore = Omit<MeaningScore, "path" | "names">;
type Look = (file: IndexedFile) => PassageScore | undefined;

function* rank(files: readonly IndexedFile[], look: Look): Steps<PassageScore[]> {
	const found = yield* mapSteps(files, (file) => look(file) ?? []);
	return found.flat().sort((a, b) => b.score - a.score);
}

/**
 * Cosine of question and passage: the part along the question is known word by word, the length must be summed, which is
 * nearly all the work. With a step, the length is estimated from a part of the numbers.
 */
function createLook(index: CodeIndex, vectors: WordVectors, wanted: Float32Array, step: number): Look {
	const sum = new Float32Array(vectors.width);
	const find = rememberResults((number: number): KnownWord | undefined => {
		// A whole identifier is its parts once more.
		const vector = index.wholes.has(number) ? undefined : vectors.vectorOf(index.words[number] ?? "");
		return vector && { vector, along: dot(vector, wanted) };
	});
	const scorePassage = ({ words, counts }: IndexedPassage, pathWords: readonly number[]): number => {
		sum.fill(0);
		let total = 0;
		const add = (number: number, weight: number): void => {
			const word = find(number);
			if (word === undefined) return;
			total += weight * word.along;
			for (let at = 0; at < sum.length; at += step)
				sum[at] = (sum[at] ?? 0) + weight * (word.vector[at] ?? 0);
		};
		for (const word of pathWords) add(word, 1);
		for (let at = 0; at < words.length; at += 1) add(words[at] ?? 0, weighCount(counts[at] ?? 1));
		const length = Math.sqrt(step * dot(sum, sum));
		return length === 0 ? -1 : total / length;
	};
	return (file) => scoreFileByMeaning(file, index, scorePassage);
}

function scoreFileByMeaning(
	file: IndexedFile,
	{ words }: CodeIndex,
	scorePassage: (passage: IndexedPassage, pathWords: readonly number[]) => number,
): PassageScore | undefined {
	const pathWords = [...file.pathWords].filter((word) => !EMPTY_NAMES.has(words[word] ?? ""));
	const [best, ...others] = file.passages
		.map((passage) => ({ passage, score: scorePassage(passage, pathWords) }))
		.sort((a, b) => b.score - a.score)
		.slice(0, MAX_KEPT_PASSAGES);
	if (best === undefined) return undefined;
	const second = others[0] ?? best;
	return {
		file,
		passages: [best.passage, ...others.map(({ passage }) => passage)],
		score: BEST_SHARE * best.score + (1 - BEST_SHARE) * second.score,
	};
}

function dot(left: Float32Array, right: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < right.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
	return sum;
}
