import type { CodeIndex, IndexedFile } from "../code-index/code-index.ts";
import type { WordVectors } from "../code-index/embed-words.ts";
import { type MeaningScore, scoreByMeaning } from "../code-index/score-by-meaning.ts";
import { classifyLine } from "./classify-line.ts";
import { classifyPath, weighPath } from "./classify-path.ts";
import type { RankedFile } from "./rank-files.ts";
import type { ScoredLine } from "./score-lines.ts";
import { isNaming, type SearchTerm, type TaskWishes } from "./search-terms.ts";

export interface MeaningQuestion {
	readonly task: string;
	readonly terms: readonly SearchTerm[];
	readonly wishes: TaskWishes;
	readonly index: CodeIndex;
	readonly vectors: WordVectors;
	/** How much of the question the words have found: the gate. */
	readonly coverage: number;
	/** How much of it they have found in one file. */
	readonly coverageOf: (path: string) => number;
	/** How near a small model finds some files, where one was asked. */
	readonly semantic?: ReadonlyMap<string, number>;
}

/** What the words count for when a name is given, and at most when none is. */
const NAMED_SHARE = 0.75;
const NAMED = { path: 0.4, names: 1.5 };
const MOST_WORD_SHARE = 0.7;
/** Meaning is for what words do not cover: it steps back quickly as they cover more. */
const COVERAGE_EXPONENT = 3;
/** The file at this position counts as not near at all. */
const FAR_POSITION = 45;
/**
 * Fitted to the development and spent sets and to the bench's own questions (docs/offline-model.md), for the nearest
 * passage as 1: the words, what the file calls itself, what it defines, what its best passage has of the question, what
 * kind of file it is. A long file has more passages, and by chance one of them is near.
 */
const WORDS_FACTOR = 1.4;
const DESCRIBED = { path: 1.1, names: 0.9 };
const COVERAGE_FACTOR = 0.5;
const KIND_FACTOR = 0.6;
const LENGTH_FACTOR = 0.085;
const MAX_NEAR_FILES = 80;
/** Below this share of the best, the words alone would not have shown a file. */
const SHOWN_BY_WORDS = 0.3;
const MIN_PATH_WEIGHT = 0.25;
/** Prose is near every question about its subject. */
const NOT_MEANT: ReadonlySet<string> = new Set(["document", "changelog", "data", "generated", "machinery"]);

/** Puts files that are near the question in meaning among those that have its words, behind a gate: the better words do, the less it says. */
export function mixMeaning(byWords: readonly RankedFile[], question: MeaningQuestion): RankedFile[] {
	const near = findNearFiles(question);
	const isNamed = question.terms.some(isNaming);
	const share = MOST_WORD_SHARE * question.coverage ** COVERAGE_EXPONENT;
	const first = byWords[0]?.score || 1;
	const known = new Map(byWords.map((file) => [file.path, file]));
	const added = [...near.keys()].filter((path) => !known.has(path)).map(emptyFile);
	const fileOf = new Map(question.index.files.map((file) => [file.path, file]));
	return [...byWords, ...added]
		.map((file): RankedFile => {
			const words = file.score / first;
			const found = near.get(file.path);
			const score = isNamed
				? NAMED_SHARE * words +
					(1 - NAMED_SHARE) * rateNearness(found, NAMED) * Math.sqrt(weighPath(file.path, question.wishes))
				: share * WORDS_FACTOR * words + (1 - share) * rateFitness(fileOf.get(file.path), found, question);
			const nearPassages = found?.passages ?? [];
			const isFoundByMeaning = found !== undefined && found.nearness > 0 && words < SHOWN_BY_WORDS;
			return isFoundByMeaning && (!isNamed || !known.has(file.path))
				? { ...showPassage(file, found), score, nearPassages, byMeaning: true }
				: { ...file, score, nearPassages };
		})
		.sort((a, b) => b.score - a.score);
}

interface NearFile extends MeaningScore {
	/** From 0 for a file that is far to 1 for the nearest. */
	readonly nearness: number;
}

function findNearFiles({ index, vectors, task, wishes }: MeaningQuestion): ReadonlyMap<string, NearFile> {
	const weightOf = (path: string): number => weighPath(path, wishes);
	const isMeant = (path: string): boolean =>
		!NOT_MEANT.has(classifyPath(path)) && weightOf(path) > MIN_PATH_WEIGHT;
	const near = scoreByMeaning(index, vectors, task, isMeant)
		.map((found) => ({ ...found, score: found.score * weightOf(found.file.path) }))
		.sort((a, b) => b.score - a.score)
		.slice(0, MAX_NEAR_FILES);
	const best = near[0]?.score ?? 0;
	const far = near[Math.min(FAR_POSITION, near.length - 1)]?.score ?? 0;
	return new Map(
		near.map((found) => [
			found.file.path,
			{ ...found, nearness: Math.max(0, (found.score - far) / (best - far || 1)) },
		]),
	);
}

/** What meaning says about a file, apart from everything else: its nearest passage, its path, the names it defines. */
function rateNearness(found: NearFile | undefined, factors: typeof NAMED): number {
	if (found === undefined) return 0;
	return found.nearness + factors.path * Math.max(0, found.path) + factors.names * Math.max(0, found.names);
}

function rateFitness(
	file: IndexedFile | undefined,
	found: NearFile | undefined,
	{ wishes, coverageOf, semantic }: MeaningQuestion,
): number {
	if (file === undefined) return 0;
	const fitness =
		rateNearness(found, DESCRIBED) +
		COVERAGE_FACTOR * coverageOf(file.path) +
		KIND_FACTOR * Math.sqrt(weighPath(file.path, wishes)) -
		LENGTH_FACTOR * Math.log(1 + (file.passages.at(-1)?.last ?? 0));
	return Math.max(0, fitness) + (semantic?.get(file.path) ?? 0);
}

function emptyFile(path: string): RankedFile {
	return {
		path,
		score: 0,
		lines: [],
		window: { first: 1, last: 1 },
		covered: [],
		nameMatches: [],
		defines: [],
	};
}

/** The line that says what the passage is: its definition, or the line it begins with. */
function showPassage(file: RankedFile, { file: { text }, passages: [passage] }: MeaningScore): RankedFile {
	const lines = text
		.split("\n")
		.slice(passage.first - 1, passage.last)
		.map((line, at): ScoredLine => {
			const reading = classifyLine(line);
			return {
				line: passage.first + at,
				text: line.slice(0, 520),
				reading,
				score: 0,
				values: [],
				nameBonus: 0,
			};
		})
		.filter((line) => line.text.trim() !== "");
	const shown =
		lines.find(({ reading }) => reading.role === "definition" && !reading.local) ??
		lines.find(({ reading }) => reading.role === "code") ??
		lines[0];
	return shown === undefined
		? file
		: { ...file, lines: [shown, ...file.lines], window: { first: passage.first, last: passage.last } };
}
