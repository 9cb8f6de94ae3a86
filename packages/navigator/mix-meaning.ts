import type { Steps } from "@deputize/ground";
import { classifyLine } from "./classify-line.ts";
import { classifyPath, NOT_CODE, weighPath } from "./classify-path.ts";
import type { CodeIndex, IndexedFile } from "./code-index/code-index.ts";
import type { WordVectors } from "./code-index/embed-words.ts";
import { type MeaningScore, scoreByMeaning } from "./code-index/score-by-meaning.ts";
import type { ScoredFile } from "./code-index/score-by-words.ts";
import { MAX_LINE_CHARS } from "./collect-evidence.ts";
import type { RankedFile, RankingQuestion } from "./rank-files.ts";
import type { ScoredLine } from "./score-lines.ts";
import { isNaming } from "./search-terms.ts";

interface MeaningQuestion extends RankingQuestion {
	readonly index: CodeIndex;
	readonly vectors: WordVectors;
	/** How much of the question the words have found: the gate. */
	readonly coverage: number;
	/** What they have found in each file. */
	readonly scored: readonly ScoredFile[];
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
interface FitnessFactors {
	/** What the words found. */
	readonly words: number;
	/** What the file calls itself, and what it defines. */
	readonly path: number;
	readonly names: number;
	/** What its best passage has of the question. */
	readonly coverage: number;
	/** What kind of file it is. */
	readonly kind: number;
	/** A long file has more passages, and by chance one of them is near. */
	readonly length: number;
}

/**
 * For the nearest passage as 1. Fitted to the development and spent sets and to the bench's own questions, and where a
 * small model was asked, to the former two (docs/offline-model.md).
 */
const DESCRIBED: FitnessFactors = {
	words: 1.4,
	path: 1.1,
	names: 0.9,
	coverage: 0.5,
	kind: 0.6,
	length: 0.085,
};
const COMPARED: FitnessFactors = {
	words: 0.2,
	path: 0.2,
	names: 0.4,
	coverage: 0.3,
	kind: 0.25,
	length: 0.05,
};
const MAX_NEAR_FILES = 80;
/** The mean of a few words is near to anything. */
const MIN_FILE_WORDS = 6;
/** Settings of tools, which nobody means who names nothing. */
const HIDDEN = /(^|\/)\./;
/** Below this share of the best, the words alone would not have shown a file. */
const SHOWN_BY_WORDS = 0.3;
const MIN_PATH_WEIGHT = 0.25;

/** Puts files that are near the question in meaning among those that have its words, behind a gate: the better words do, the less it says. */
export function* mixMeaning(byWords: readonly RankedFile[], question: MeaningQuestion): Steps<RankedFile[]> {
	const near = yield* findNearFiles(question);
	const isNamed = question.terms.some(isNaming);
	const share = MOST_WORD_SHARE * question.coverage ** COVERAGE_EXPONENT;
	const first = byWords[0]?.score || 1;
	const known = new Map(byWords.map((file) => [file.path, file]));
	const added = [...near.keys()].filter((path) => !known.has(path)).map(emptyFile);
	const fileOf = new Map(question.index.files.map((file) => [file.path, file]));
	const scoredOf = new Map(question.scored.map((found) => [found.file.path, found]));
	const factors = question.semantic !== undefined && question.semantic.size > 0 ? COMPARED : DESCRIBED;
	return [...byWords, ...added]
		.map((file): RankedFile => {
			const words = file.score / first;
			const found = near.get(file.path);
			const scored = scoredOf.get(file.path);
			const score = isNamed
				? NAMED_SHARE * words +
					(1 - NAMED_SHARE) * rateNearness(found, NAMED) * Math.sqrt(weighPath(file.path, question.wishes))
				: share * factors.words * words +
					(1 - share) * rateFitness(fileOf.get(file.path), found, scored, factors, question);
			const passages = new Set([...(found?.passages ?? []), ...(scored?.passage ? [scored.passage] : [])]);
			const ranked = { ...file, score, tellingPassages: found === undefined ? [] : [...passages] };
			const isFoundByMeaning = found !== undefined && found.nearness > 0 && words < SHOWN_BY_WORDS;
			return isFoundByMeaning && (!isNamed || !known.has(file.path))
				? { ...showPassage(ranked, found, question.index), byMeaning: true }
				: ranked;
		})
		.sort((a, b) => b.score - a.score);
}

interface NearFile extends MeaningScore {
	/** From 0 for a file that is far to 1 for the nearest. */
	readonly nearness: number;
}

function* findNearFiles({
	index,
	vectors,
	task,
	wishes,
}: MeaningQuestion): Steps<ReadonlyMap<string, NearFile>> {
	const weightOf = (path: string): number => weighPath(path, wishes);
	const isMeant = ({ path, length }: IndexedFile): boolean => {
		const kind = classifyPath(path);
		const isWanted = wishes.documentsOnly ? kind === "document" : !NOT_CODE.has(kind);
		return isWanted && weightOf(path) > MIN_PATH_WEIGHT && length >= MIN_FILE_WORDS && !HIDDEN.test(path);
	};
	const found = yield* scoreByMeaning(index, vectors, task, isMeant);
	const near = found
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
function rateNearness(found: NearFile | undefined, factors: Pick<FitnessFactors, "path" | "names">): number {
	if (found === undefined) return 0;
	return found.nearness + factors.path * Math.max(0, found.path) + factors.names * Math.max(0, found.names);
}

function rateFitness(
	file: IndexedFile | undefined,
	found: NearFile | undefined,
	scored: ScoredFile | undefined,
	factors: FitnessFactors,
	{ wishes, semantic }: MeaningQuestion,
): number {
	if (file === undefined) return 0;
	const fitness =
		rateNearness(found, factors) +
		factors.coverage * (scored?.coverage ?? 0) +
		factors.kind * Math.sqrt(weighPath(file.path, wishes)) -
		factors.length * Math.log(1 + (file.passages.at(-1)?.last ?? 0));
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
function showPassage(
	ranked: RankedFile,
	{ file, passages: [passage] }: MeaningScore,
	{ syntax }: CodeIndex,
): RankedFile {
	const facts = syntax?.factsOf(file);
	const lines = file.text
		.split("\n")
		.slice(passage.first - 1, passage.last)
		.map((line, at): ScoredLine => {
			const text = line.slice(0, MAX_LINE_CHARS);
			return {
				line: passage.first + at,
				text,
				reading: classifyLine(facts, passage.first + at, line),
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
		? ranked
		: { ...ranked, lines: [shown, ...ranked.lines], window: { first: passage.first, last: passage.last } };
}
