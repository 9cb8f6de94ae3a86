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
	readonly strengths: ReadonlyMap<number, number>;
	readonly weight: number;
	readonly rarity: number;
	readonly occurs: boolean;
}

/** Ranks whole files by rare words, their names and definitions, and by how much of the question one passage has. */
export function* scoreByWords(index: CodeIndex, terms: readonly WordTerm[]): Steps<ScoredFile[]> {
	const rated: RatedTerm[] = [];
	for (const term of terms) rated.push(yield* rateTerm(index, term));
	const mean = index.files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, index.files.length);
	const whole = rated.reduce((sum, term) => sum + worthOf(term) * (term.occurs ? 1 : ABSENT_SHARE), 0) || 1;
	const scored = yield* mapSteps(index.files, (file) => scoreFile(file, rated, mean, whole));
	return scored
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}

const worthOf = ({ weight, rarity }: RatedTerm): number => weight * rarity;

function* rateTerm(index: CodeIndex, { weight, strengthOf }: WordTerm): Steps<RatedTerm> {
	const strengths = new Map<number, number>();
	index.words.forEach((word, number) => {
		const strength = strengthOf(word, index.stems[number] ?? word);
		if (strength > 0) strengths.set(number, strength);
	});
	yield;
	const speaking = yield* mapSteps(index.files, (file) => speaksOf(file, strengths));
	const files = speaking.filter(Boolean).length;
	const rarity = Math.log(1 + (index.files.length - files + 0.5) / (files + 0.5));
	return { strengths, weight, rarity, occurs: files > 0 };
}

function speaksOf({ passages, pathWords }: IndexedFile, strengths: ReadonlyMap<number, number>): boolean {
	const strong = (word: number): boolean => (strengths.get(word) ?? 0) >= 0.9;
	return pathWords.some(strong) || passages.some(({ words }) => words.some(strong));
}

function scoreFile(file: IndexedFile, terms: readonly RatedTerm[], mean: number, whole: number): ScoredFile {
	const inPath = terms.map(({ strengths }) => strongest(file.pathWords, strengths));
	let best = 0;
	let passage: IndexedPassage | undefined;
	const totals = terms.map(() => 0);
	for (const candidate of file.passages) {
		let near = 0;
		terms.forEach((term, index) => {
			const found = countIn(candidate, term.strengths);
			if (found.count === 0) return;
			totals[index] = (totals[index] ?? 0) + found.count * found.strength;
			near += worthOf(term) * found.strength * Math.min(1.5, 0.8 + 0.2 * found.count);
		});
		if (near > best) {
			best = near;
			passage = candidate;
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
		const here = passage === undefined ? 0 : countIn(passage, term.strengths).strength;
		covered += value * (term.occurs ? 1 : ABSENT_SHARE) * Math.max(here, inPath[index] ?? 0);
	});
	return { file, score: score / whole, passage, coverage: covered / whole };
}

function countIn(
	{ words, counts }: IndexedPassage,
	strengths: ReadonlyMap<number, number>,
): { count: number; strength: number } {
	let count = 0;
	let strength = 0;
	for (let at = 0; at < words.length; at += 1) {
		const found = strengths.get(words[at] ?? 0);
		if (found === undefined) continue;
		count += counts[at] ?? 0;
		if (found > strength) strength = found;
	}
	return { count, strength };
}

function strongest(words: Iterable<number>, strengths: ReadonlyMap<number, number>): number {
	let best = 0;
	for (const word of words) best = Math.max(best, strengths.get(word) ?? 0);
	return best;
}
