import { rememberResults } from "@deputize/ground";
import type { MeaningTable } from "./meaning-table.ts";
import { splitPieces } from "./split-pieces.ts";

/** Vectors of words, each computed once. */
export interface WordVectors {
	readonly width: number;
	/** Undefined for a word that no pieces make up. */
	vectorOf(word: string): Float32Array | undefined;
}

const LIMITS = { maxPieces: 6, maxChars: 40 };

export function createWordVectors(table: MeaningTable): WordVectors {
	return {
		width: table.width,
		vectorOf: rememberResults((word) => sumPieces(table, splitPieces(table.pieces, word, LIMITS))),
	};
}

function sumPieces(
	{ width, scales, values }: MeaningTable,
	pieces: readonly number[],
): Float32Array | undefined {
	if (pieces.length === 0) return undefined;
	const sum = new Float32Array(width);
	for (const piece of pieces) {
		const scale = scales[piece] ?? 0;
		const start = piece * width;
		for (let at = 0; at < width; at += 1) sum[at] = (sum[at] ?? 0) + scale * (values[start + at] ?? 0);
	}
	return sum;
}

/** The direction of a bag of words. Undefined when it has no known word. */
export function embedBag(
	vectors: WordVectors,
	bag: Iterable<readonly [word: string, count: number]>,
): Float32Array | undefined {
	const sum = new Float32Array(vectors.width);
	for (const [word, count] of bag) {
		const vector = vectors.vectorOf(word);
		if (vector === undefined) continue;
		const weight = weighCount(count);
		for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
	}
	const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
	return length === 0 ? undefined : sum.map((value) => value / length);
}

/** As in training: the tenth occurrence says nothing new. */
const MAX_COUNT = 9;

export function weighCount(count: number): number {
	return Math.sqrt(Math.min(count, MAX_COUNT));
}
