import { weighPath } from "./classify-path.ts";
import type { IndexedPassage } from "./code-index/code-index.ts";
import { type Evidence, emptyEvidence, type FileEvidence } from "./collect-evidence.ts";
import { bestValues, findWindow, sum } from "./find-window.ts";
import {
	createEchoTest,
	createSequenceTest,
	type LineScoring,
	type ScoredLine,
	scoreLines,
} from "./score-lines.ts";
import { scoreNames } from "./score-names.ts";
import type { SearchTerm, TaskWishes } from "./search-terms.ts";
import { type WeighedTerm, weighTerms } from "./weigh-terms.ts";

export interface RankedFile {
	readonly path: string;
	readonly score: number;
	/** Best lines first. */
	readonly lines: readonly ScoredLine[];
	/** The passage that matches the task best. */
	readonly window: { readonly first: number; readonly last: number };
	/** Terms of the task that occur in the file or its name. */
	readonly covered: readonly string[];
	readonly nameMatches: readonly string[];
	readonly defines: readonly string[];
	/** Found by what it means: its words alone would not have brought it here. */
	readonly byMeaning?: boolean;
	/** The passages that are nearest to the question in meaning, nearest first, then the one that has most of its words. */
	readonly tellingPassages?: readonly IndexedPassage[];
}

export interface RankingQuestion {
	readonly task: string;
	readonly terms: readonly SearchTerm[];
	readonly wishes: TaskWishes;
}

const WHOLE_FILE_SHARE = 0.25;
const LONG_FILE_LINES = 8000;
const LONG_FILE_FACTOR = 0.6;
const MIN_TELLING_WEIGHT = 0.5;
const MAX_RANKED_LINES = 40;
const MAX_DEFINED_NAMES = 3;

/** Orders files by how much of the task, weighted by rarity, occurs close together in them. */
export function rankFiles(evidence: Evidence, question: RankingQuestion): RankedFile[] {
	const terms = weighTerms(evidence, question.terms);
	const scoring = {
		terms,
		wishes: question.wishes,
		isEcho: createEchoTest(question.task),
		sequenceOf: createSequenceTest(question.task),
	};
	const ranked = new Map<string, RankedFile>();
	for (const path of new Set([...evidence.files.keys(), ...evidence.listed])) {
		const result = rankFile(evidence.files.get(path) ?? emptyEvidence(path), scoring);
		if (result !== undefined) ranked.set(path, result);
	}
	if (!question.wishes.types) preferImplementations(ranked);
	return [...ranked.values()].sort((a, b) => b.score - a.score || compareByDepth(a.path, b.path));
}

function rankFile(file: FileEvidence, scoring: LineScoring): RankedFile | undefined {
	const { terms } = scoring;
	const lines = scoreLines(file, scoring);
	const names = scoreNames(file.path, terms);
	if (lines.length === 0 && names.value === 0) return undefined;
	const window = findWindow(lines);
	const whole = bestValues(lines, terms.length);
	const near = coverageOf(terms, window.values, names.matched);
	const anywhere = coverageOf(terms, whole, names.matched);
	const content = window.score + WHOLE_FILE_SHARE * sum(whole) + names.value;
	const textsOf = (isWanted: (index: number) => boolean): string[] =>
		terms.filter((_term, index) => isWanted(index)).map(({ term }) => term.text);
	return {
		path: file.path,
		score:
			content *
			(0.35 + 0.5 * near + 0.15 * anywhere) *
			weighPath(file.path, scoring.wishes) *
			weighLength(lines),
		lines: telling(lines, terms)
			.sort((a, b) => b.score - a.score || a.line - b.line)
			.slice(0, MAX_RANKED_LINES),
		window: { first: window.first, last: window.last },
		covered: textsOf((index) => (whole[index] ?? 0) > 0 || names.matched.has(index)),
		nameMatches: textsOf((index) => names.matched.has(index)),
		defines: definedNames(lines),
	};
}

/** Words that questions are made of help to compare files; a line that has nothing else is no evidence. */
function telling(lines: readonly ScoredLine[], terms: readonly WeighedTerm[]): ScoredLine[] {
	const strong = lines.filter(
		({ values, nameBonus, reading }) =>
			values.some((value, index) => value > 0 && (terms[index]?.term.weight ?? 0) >= MIN_TELLING_WEIGHT) ||
			(nameBonus > 0 && reading.role === "definition"),
	);
	return strong.length > 0 ? strong : [...lines];
}

/** Files this long were put together by a program far more often than they were written. */
function weighLength(lines: readonly ScoredLine[]): number {
	return (lines.at(-1)?.line ?? 0) > LONG_FILE_LINES ? LONG_FILE_FACTOR : 1;
}

/** How much of the task is there: half by rarity, half by count, so that one rare word does not outweigh the rest. */
function coverageOf(
	terms: readonly WeighedTerm[],
	values: readonly number[],
	names: ReadonlySet<number>,
): number {
	const covered = (weight: (term: WeighedTerm) => number): number =>
		sum(terms.map((term, index) => ((values[index] ?? 0) > 0 || names.has(index) ? weight(term) : 0))) /
		(sum(terms.map(weight)) || 1);
	return (covered(({ value }) => value) + covered(({ term }) => term.weight)) / 2;
}

function definedNames(lines: readonly ScoredLine[]): string[] {
	const names = lines
		.filter(
			({ reading: { role, local, guessed, declared }, nameBonus }) =>
				role === "definition" && !local && !guessed && !declared && nameBonus > 0,
		)
		.sort((a, b) => b.nameBonus - a.nameBonus)
		.map(({ reading }) => reading.name ?? "");
	return [...new Set(names)].slice(0, MAX_DEFINED_NAMES);
}

/** A declaration file describes what the file next to it does: that one comes first unless types were asked for. */
function preferImplementations(ranked: Map<string, RankedFile>): void {
	for (const declaration of [...ranked.values()]) {
		const stem = /^(.*)\.d\.([cm]?)ts$/.exec(declaration.path);
		const implementation = stem === null ? undefined : ranked.get(`${stem[1]}.${stem[2]}js`);
		if (implementation === undefined || implementation.score >= declaration.score) continue;
		ranked.set(implementation.path, { ...implementation, score: declaration.score });
		ranked.set(declaration.path, { ...declaration, score: implementation.score });
	}
}

/** Shallow and short first, so that equal files come in the order a person would open them. */
function compareByDepth(left: string, right: string): number {
	const depth = left.split("/").length - right.split("/").length;
	return depth || left.length - right.length || (left < right ? -1 : 1);
}
