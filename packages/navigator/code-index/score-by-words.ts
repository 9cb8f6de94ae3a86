import { mapSteps, type Steps } from "@deputize/ground";
import type { CodeIndex, IndexedFile, IndexedPassage } from "./code-index.ts";

/** Something to look for: how strongly each word of the tree matches it, from 0 to 1. */
export interface WordTerm {
	readonly weight: number;
	readonly strengthOf: (word: string, stem: string) => number;
}

export interface ScoredFile {
	readonly file: IndexedFile;
	readonly score: number;
	/** The passage that covers most of the terms. */
	readonly passage: IndexedPassage | undefined;
	/** The share of the question's weight, rare words counting more, that this passage and the path cover. */
	readonly coverage: number;
}

/** How fast more occurrences stop counting, and how much a long file is held back: the usual values of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const PATH_FACTOR = 1.2;
const DEFINED_FACTOR = 0.6;
const PASSAGE_FACTOR = 1;
/** A word that is nowhere says that the question uses other words; it still lowers the coverage. */
const ABSENT_SHARE = 0.6;

interface RatedTerm {
	/** How strongly each word of the tree matches, by its number. */
	readonly strengths: Float32Array;
	readonly weight: number;
	readonly rarity: number;
	readonly occurs: boolean;
}

/** What counts as the term itself when its rarity is counted. */
const STRONG = 0.9;

/** Ranks whole files by rare words, their names and definitions, and by how much of the question one passage has. */
export function* scoreByWords(index: CodeIndex, terms: readonly WordTerm[]): Steps<ScoredFile[]> {
	const strengths: Float32Array[] = [];
	for (const term of terms) {
		strengths.push(matchWords(index, term));
		yield;
	}
	// Most words of a tree match no term: they are passed over with one look.
	const speaks = new Uint8Array(index.words.length);
	for (const strength of strengths)
		for (let word = 0; word < speaks.length; word += 1) if (strength[word] !== 0) speaks[word] = 1;
	const rated = yield* rateTerms(index, terms, strengths, speaks);
	const mean = index.files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, index.files.length);
	const whole = rated.reduce((sum, term) => sum + worthOf(term) * (term.occurs ? 1 : ABSENT_SHARE), 0) || 1;
	const scored = yield* mapSteps(index.files, (file) => scoreFile(file, rated, speaks, mean, whole));
	return scored
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}

const worthOf = ({ weight, rarity }: RatedTerm): number => weight * rarity;

function matchWords({ words, stems }: CodeIndex, { strengthOf }: WordTerm): Float32Array {
	return Float32Array.from(words, (word, number) => strengthOf(word, stems[number] ?? word));
}

function* rateTerms(
	{ files }: CodeIndex,
	terms: readonly WordTerm[],
	strengths: readonly Float32Array[],
	speaks: Uint8Array,
): Steps<RatedTerm[]> {
	const counts = terms.map(() => 0);
	for (const file of files) {
		const found = terms.map(() => false);
		const look = (numbers: Uint32Array): void => {
			for (const word of numbers) {
				if (speaks[word] === 0) continue;
				for (let term = 0; term < found.length; term += 1)
					if ((strengths[term]?.[word] ?? 0) >= STRONG) found[term] = true;
			}
		};
		look(file.pathWords);
		for (const { words } of file.passages) look(words);
		found.forEach((isFound, term) => {
			if (isFound) counts[term] = (counts[term] ?? 0) + 1;
		});
		yield;
	}
	return terms.map(({ weight }, term) => {
		const count = counts[term] ?? 0;
		const rarity = Math.log(1 + (files.length - count + 0.5) / (count + 0.5));
		return { strengths: strengths[term] ?? new Float32Array(), weight, rarity, occurs: count > 0 };
	});
}

interface PassageCounts {
	readonly count: Float64Array;
	readonly strength: Float32Array;
}

function scoreFile(
	file: IndexedFile,
	terms: readonly RatedTerm[],
	speaks: Uint8Array,
	mean: number,
	whole: number,
): ScoredFile {
	const inPath = terms.map(({ strengths }) => strongest(file.pathWords, strengths));
	let best = 0;
	let passage: IndexedPassage | undefined;
	let inBest: PassageCounts | undefined;
	const totals = terms.map(() => 0);
	for (const candidate of file.passages) {
		const found = countIn(candidate, terms, speaks);
		if (found === undefined) continue;
		let near = 0;
		terms.forEach((term, index) => {
			const count = found.count[index] ?? 0;
			const strength = found.strength[index] ?? 0;
			if (count === 0) return;
			totals[index] = (totals[index] ?? 0) + count * strength;
			near += worthOf(term) * strength * Math.min(1.5, 0.8 + 0.2 * count);
		});
		if (near > best) {
			best = near;
			passage = candidate;
			inBest = found;
		}
	}
	const held = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * (file.length / Math.max(1, mean)));
	let score = PASSAGE_FACTOR * best;
	let covered = 0;
	terms.forEach((term, index) => {
		const count = totals[index] ?? 0;
		const value = worthOf(term);
		if (count > 0) score += (value * count * (SATURATION + 1)) / (count + held);
		score += value * PATH_FACTOR * (inPath[index] ?? 0);
		score += value * DEFINED_FACTOR * strongest(file.definedWords, term.strengths);
		const here = inBest?.strength[index] ?? 0;
		covered += value * (term.occurs ? 1 : ABSENT_SHARE) * Math.max(here, inPath[index] ?? 0);
	});
	return { file, score: score / whole, passage, coverage: covered / whole };
}

/** How often and how strongly a passage has each term; undefined when it has none. */
function countIn(
	{ words, counts }: IndexedPassage,
	terms: readonly RatedTerm[],
	speaks: Uint8Array,
): PassageCounts | undefined {
	let found: PassageCounts | undefined;
	for (let at = 0; at < words.length; at += 1) {
		const word = words[at] ?? 0;
		if (speaks[word] === 0) continue;
		found ??= { count: new Float64Array(terms.length), strength: new Float32Array(terms.length) };
		for (let term = 0; term < terms.length; term += 1) {
			const strength = terms[term]?.strengths[word] ?? 0;
			if (strength === 0) continue;
			found.count[term] = (found.count[term] ?? 0) + (counts[at] ?? 0);
			if (strength > (found.strength[term] ?? 0)) found.strength[term] = strength;
		}
	}
	return found;
}

function strongest(words: Iterable<number>, strengths: Float32Array): number {
	let best = 0;
	for (const word of words) best = Math.max(best, strengths[word] ?? 0);
	return best;
}
