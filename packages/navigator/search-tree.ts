import { finishSteps, mapSteps, type Steps } from "@deputize/ground";
import { weighPath } from "./classify-path.ts";
import type { CodeIndex, IndexedFile } from "./code-index/code-index.ts";
import type { WordVectors } from "./code-index/embed-words.ts";
import { lookForFilesWith } from "./code-index/find-files-with.ts";
import { type ScoredFile, scoreByWords } from "./code-index/score-by-words.ts";
import { collectEvidence, type Evidence, emptyEvidence } from "./collect-evidence.ts";
import { collectIndexLines } from "./collect-index-lines.ts";
import { mixMeaning } from "./mix-meaning.ts";
import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import { type RankedFile, type RankingQuestion, rankFiles } from "./rank-files.ts";
import { createSequenceTest } from "./score-lines.ts";
import { isNaming, type SearchTerm } from "./search-terms.ts";
import { toWordTerms } from "./to-word-terms.ts";

export interface TreeQuestion extends RankingQuestion {
	readonly openMeaning?: () => WordVectors | undefined;
	/** How near a small model finds some files, where one was asked. */
	readonly semantic?: ReadonlyMap<string, number>;
	/** What tools have returned so far: a language server's definitions count. */
	readonly steps?: readonly NavigatorToolStep[];
}

export interface TreeFindings {
	readonly ranked: readonly RankedFile[];
	readonly evidence: Evidence;
	/** How much of the question, by rarity, one passage of the best files covers. */
	readonly coverage: number;
}

/** Files that are looked at line by line. */
const MAX_CANDIDATES = 40;
const MAX_EXACT_CANDIDATES = 40;
const MIN_TREE_SIZE = 20;
/** How much the ranking of whole files counts compared with that of lines. */
const WHOLE_FILE_SHARE = 0.3;
const LOOKED_AT_FOR_COVERAGE = 5;
const SAME_WORDS = 0.75;
/** What is parsed to rank files by what they define; about a quarter of a second. */
const MAX_PARSED_BYTES = 1_000_000;

export function searchTree(index: CodeIndex, question: TreeQuestion): TreeFindings {
	return finishSteps(searchTreeInSteps(index, question));
}

/** Finds the files that match a question: all files by their words, then the best of them line by line. */
export function* searchTreeInSteps(index: CodeIndex, question: TreeQuestion): Steps<TreeFindings> {
	const byTerms = yield* scoreByWords(index, toWordTerms(question.terms));
	const scored = byTerms
		.map((file) => ({ ...file, score: file.score * weighPath(file.file.path, question.wishes) }))
		.sort((a, b) => b.score - a.score);
	const candidates = yield* selectCandidates(index, scored, question.terms);
	yield* index.syntax?.learn(candidates, MAX_PARSED_BYTES) ?? [];
	const collected = yield* mapSteps(candidates, (file) => collectIndexLines(index, file, question.terms));
	const files = new Map(collected.map((lines) => [lines.path, lines]));
	for (const [path, { definitions, lines }] of collectEvidence(question.steps ?? [])) {
		const known = files.get(path) ?? emptyEvidence(path);
		for (const [line, text] of lines) if (definitions.has(line)) known.lines.set(line, text);
		for (const line of definitions) known.definitions.add(line);
		files.set(path, known);
	}
	const evidence: Evidence = {
		files,
		listed: new Set(index.files.map(({ path }) => path)),
		treeSize: Math.max(MIN_TREE_SIZE, index.files.length),
	};
	const coverage = Math.max(0, ...scored.slice(0, LOOKED_AT_FOR_COVERAGE).map((file) => file.coverage));
	const byWords = mixScores(rankFiles(evidence, question), scored);
	const vectors = isDecided(byWords, question) ? undefined : question.openMeaning?.();
	const ranked =
		vectors === undefined
			? byWords
			: yield* mixMeaning(byWords, { ...question, index, vectors, coverage, scored });
	return {
		ranked: question.terms.some(isNaming) ? ranked : putHeadersBehind(ranked),
		evidence,
		coverage,
	};
}

/** What is named was found where it is defined: meaning has nothing to add, and opening its table takes longer than all the rest. */
function isDecided([best]: readonly RankedFile[], { task, terms }: TreeQuestion): boolean {
	const sequenceOf = createSequenceTest(task);
	// Somebody wrote there what was asked, nearly word for word.
	if (best?.lines.some(({ text }) => sequenceOf(text) >= SAME_WORDS) === true) return true;
	return terms.some(
		({ kind, text }) =>
			kind === "symbol" && best?.defines.includes(text) === true && text === best.defines[0],
	);
}

/** The best by words, and every file that has a name or a quoted message literally, however common its other words are. */
function* selectCandidates(
	index: CodeIndex,
	scored: readonly ScoredFile[],
	terms: readonly SearchTerm[],
): Steps<IndexedFile[]> {
	const exact = terms.filter(({ kind }) => kind === "symbol" || kind === "phrase").map(({ text }) => text);
	const found = new Set<IndexedFile>();
	for (const name of exact) for (const file of yield* lookForFilesWith(index, name)) found.add(file);
	const literal = [...found];
	const best = scored.slice(0, MAX_CANDIDATES).map(({ file }) => file);
	const order = new Map(scored.map(({ file }, position) => [file, position]));
	literal.sort((a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity));
	return [...new Set([...best, ...literal.slice(0, MAX_EXACT_CANDIDATES)])];
}

const HEADER = /^(.*\/)?([^/]+)\.(?:h|hh|hpp|hxx)$/;
const BODY = /^(.*\/)?([^/]+?)(?:-inl\.h|\.(?:c|cc|cpp|cxx|m|mm))$/;
/** Where one project puts its headers and another its bodies. */
const SIDES = /(?<=^|\/)(?:include|inc|src|source|lib)\//g;
/** How near to its header a body of another directory must be. */
const MIN_SHARE_ELSEWHERE = 0.5;

/** What a header declares is done in the file of the same name: who asks for what is done means that one. */
function putHeadersBehind(ranked: readonly RankedFile[]): RankedFile[] {
	const bodies = new Map<string, { file: RankedFile; directory: string }[]>();
	for (const file of ranked) {
		const pair = file.score > 0 ? toPair(BODY, file.path) : undefined;
		if (pair === undefined) continue;
		const same = bodies.get(pair.name) ?? [];
		same.push({ file, directory: pair.directory });
		bodies.set(pair.name, same);
	}
	const placed = new Set<RankedFile>();
	return ranked.flatMap((file): RankedFile[] => {
		const header = toPair(HEADER, file.path);
		// Another directory may have another file of that name.
		const same = bodies.get(header?.name ?? "") ?? [];
		const body = (
			same.find(({ directory }) => directory === header?.directory) ??
			same.find((other) => other.file.score >= file.score * MIN_SHARE_ELSEWHERE)
		)?.file;
		const isLater = body !== undefined && body !== file && !placed.has(body);
		const added = [...(isLater ? [{ ...body, score: file.score }] : []), ...(placed.has(file) ? [] : [file])];
		if (isLater) placed.add(body);
		placed.add(file);
		return added;
	});
}

function toPair(pattern: RegExp, path: string): { directory: string; name: string } | undefined {
	const [, directory = "", name] = pattern.exec(path) ?? [];
	return name === undefined ? undefined : { directory: directory.replace(SIDES, ""), name };
}

function mixScores(ranked: readonly RankedFile[], scored: readonly ScoredFile[]): RankedFile[] {
	const whole = new Map(scored.map(({ file, score }) => [file.path, score / (scored[0]?.score || 1)]));
	const best = ranked[0]?.score || 1;
	return ranked
		.map((file) => ({
			...file,
			score: (1 - WHOLE_FILE_SHARE) * (file.score / best) + WHOLE_FILE_SHARE * (whole.get(file.path) ?? 0),
		}))
		.sort((a, b) => b.score - a.score);
}
