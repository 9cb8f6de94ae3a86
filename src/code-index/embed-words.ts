import type { MeaningTable } from "./meaning-table.ts";

/** Vectors of words, each computed once. */
export interface WordVectors {
	readonly width: number;
	/** Undefined for a word that no pieces make up. */
	vectorOf(word: string): Float32Array | undefined;
}

const MAX_PIECES = 6;
const MAX_WORD_CHARS = 40;

export function createWordVectors(table: MeaningTable): WordVectors {
	const known = new Map<string, Float32Array | undefined>();
	return {
		width: table.width,
		vectorOf(word) {
			if (known.has(word)) return known.get(word);
			const vector = sumPieces(table, splitPieces(table, word));
			known.set(word, vector);
			return vector;
		},
	};
}

/** The longest piece first, as the table's word list was made for. */
function splitPieces({ pieces }: MeaningTable, word: string): number[] {
	if (word.length > MAX_WORD_CHARS) return [];
	const found: number[] = [];
	let start = 0;
	while (start < word.length && found.length < MAX_PIECES) {
		let end = word.length;
		let piece: number | undefined;
		while (end > start && piece === undefined) {
			piece = pieces.get((start > 0 ? "##" : "") + word.slice(start, end));
			if (piece === undefined) end -= 1;
		}
		if (piece === undefined) return [];
		found.push(piece);
		start = end;
	}
	return found;
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
