import type { CodeIndex } from "../code-index/code-index.ts";
import type { WordVectors } from "../code-index/embed-words.ts";
import { type MeaningScore, scoreByMeaning } from "../code-index/score-by-meaning.ts";
import { classifyLine } from "./classify-line.ts";
import { classifyPath, weighPath } from "./classify-path.ts";
import type { RankedFile } from "./rank-files.ts";
import type { ScoredLine } from "./score-lines.ts";
import type { SearchTerm, TaskWishes } from "./search-terms.ts";

export interface MeaningQuestion {
	readonly task: string;
	readonly terms: readonly SearchTerm[];
	readonly wishes: TaskWishes;
	readonly index: CodeIndex;
	readonly vectors: WordVectors;
	/** How much of the question the words have found: the gate. */
	readonly coverage: number;
}

/** What the words count for when a name is given, when they cover nothing, and when they cover everything. */
const NAMED_SHARE = 0.75;
const LEAST_WORD_SHARE = 0;
const MOST_WORD_SHARE = 0.7;
/** Meaning is for what words do not cover: it steps back quickly as they cover more. */
const COVERAGE_EXPONENT = 3;
/** The file at this position counts as not near at all. */
const FAR_POSITION = 45;
/** Beside the nearest passage: what the file calls itself, and what it defines. */
const PATH_SHARE = 0.4;
const NAMES_SHARE = 1.5;
/** Found by meaning, a declaration or a bundle steps back less than it does by words. */
const PATH_WEIGHT_EXPONENT = 0.5;
const MAX_NEAR_FILES = 80;
/** Below this share of the best, the words alone would not have shown a file. */
const SHOWN_BY_WORDS = 0.3;
const MIN_PATH_WEIGHT = 0.25;
/** Prose is near every question about its subject. */
const NOT_MEANT: ReadonlySet<string> = new Set(["document", "changelog", "data", "generated", "machinery"]);

/** Puts files that are near the question in meaning among those that have its words, behind a gate: the better words do, the less it says. */
export function mixMeaning(byWords: readonly RankedFile[], question: MeaningQuestion): RankedFile[] {
	const { wishes, terms, coverage } = question;
	const weightOf = (path: string): number => weighPath(path, wishes);
	const near = scoreByMeaning(
		question.index,
		question.vectors,
		question.task,
		(path) => !NOT_MEANT.has(classifyPath(path)) && weightOf(path) > MIN_PATH_WEIGHT,
	)
		.map((found) => ({ ...found, score: found.score * weightOf(found.file.path) }))
		.sort((a, b) => b.score - a.score)
		.slice(0, MAX_NEAR_FILES);
	const best = near[0]?.score ?? 0;
	const far = near[Math.min(FAR_POSITION, near.length - 1)]?.score ?? 0;
	const isNamed = terms.some(({ kind }) => kind === "symbol" || kind === "phrase" || kind === "path");
	const share = isNamed
		? NAMED_SHARE
		: Math.min(
				MOST_WORD_SHARE,
				LEAST_WORD_SHARE + (MOST_WORD_SHARE - LEAST_WORD_SHARE) * coverage ** COVERAGE_EXPONENT,
			);
	const meaningOf = new Map(
		near.map((found) => [
			found.file.path,
			{ found, value: meaningValue(found, best, far) * weightOf(found.file.path) ** PATH_WEIGHT_EXPONENT },
		]),
	);
	const known = new Set(byWords.map(({ path }) => path));
	const first = byWords[0]?.score || 1;
	const mixed = byWords.map((file) => {
		const words = file.score / first;
		const meaning = meaningOf.get(file.path);
		const score = share * words + (1 - share) * (meaning?.value ?? 0);
		const isFoundByMeaning = meaning !== undefined && meaning.value > 0 && words < SHOWN_BY_WORDS && !isNamed;
		return isFoundByMeaning
			? { ...showPassage(file, meaning.found), score, byMeaning: true }
			: { ...file, score };
	});
	const added = near
		.filter(({ file }) => !known.has(file.path))
		.map((found): RankedFile => {
			const score = (1 - share) * (meaningOf.get(found.file.path)?.value ?? 0);
			return { ...showPassage(emptyFile(found.file.path), found), score, byMeaning: true };
		});
	return [...mixed, ...added].sort((a, b) => b.score - a.score);
}

function meaningValue({ score, path, names }: MeaningScore, best: number, far: number): number {
	const passage = Math.max(0, (score - far) / (best - far || 1));
	return passage + PATH_SHARE * Math.max(0, path) + NAMES_SHARE * Math.max(0, names);
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
function showPassage(file: RankedFile, { file: { text }, passage }: MeaningScore): RankedFile {
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
