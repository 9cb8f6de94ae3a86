import {
	ANY_FILE_GLOB,
	anyTermPattern,
	compoundPattern,
	definitionNamePattern,
	definitionPattern,
	fileNameGlob,
	importPattern,
	NOISE_GLOB,
	OUTLINE_PATTERN,
	pairPattern,
	pathGlob,
	wordPattern,
} from "./build-search-patterns.ts";
import { weighPath } from "./classify-path.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { planReferences } from "./find-references.ts";
import type { NavigatorCall, NavigatorToolStep, PlannedTurn } from "./navigator-input.ts";
import { type RankedFile, rankFiles } from "./rank-files.ts";
import { baseNameOf } from "./render-surroundings.ts";
import type { SearchTerm, SearchTerms } from "./search-terms.ts";

interface CodeQuestion {
	readonly task: string;
	readonly terms: SearchTerms;
	readonly tools: ReadonlySet<string>;
	/** Also look for tests and users of the best files. */
	readonly surroundings: boolean;
}

type Turn = (question: CodeQuestion, seen: readonly NavigatorToolStep[]) => PlannedTurn;

const WORD_MATCHES = 200;
const SYMBOL_MATCHES = 200;
const DEFINITION_MATCHES = 60;
const PHRASE_MATCHES = 60;
const PAIR_MATCHES = 120;
const FILE_MATCHES = 120;
const OUTLINED_FILES = 3;
const OUTLINE_MATCHES = 40;
const LISTED_FILES = 300;
const NAMED_FILES = 100;
const MAX_NAME_WORDS = 5;
const SYMBOL_QUERIES = 2;
const MAX_PAIRS = 5;
const CANDIDATE_FILES = 10;
const PASSAGES = 3;
const PASSAGE_LINES = 40;
const LINES_BEFORE = 8;
/** Without grep, whole files are read instead of searched. */
const WHOLE_FILES = 8;
const WHOLE_FILE_LINES = 800;

/** The turns of a search, in order. Each is a pure function of the question and of what earlier turns brought. */
export const CODE_SEARCH_TURNS: readonly Turn[] = [survey, combine, compare, readPassages];

/** Every name, phrase and word once, and the lay of the tree. */
function survey({ terms, tools }: CodeQuestion): PlannedTurn {
	const calls: NavigatorCall[] = [];
	const names = terms.terms.filter((term) => term.kind === "symbol");
	if (tools.has("lsp")) {
		for (const term of names
			.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name.text))
			.slice(0, SYMBOL_QUERIES)) {
			calls.push({ tool: "lsp", args: { action: "symbols", query: term.text } });
		}
	}
	if (tools.has("grep")) calls.push(...terms.terms.flatMap(searchesFor));
	if (tools.has("find")) calls.push(...listings(terms.terms));
	else if (tools.has("ls")) calls.push({ tool: "ls", args: {} });
	return { calls, note: `Searching for ${describe(terms.terms)}.` };
}

function searchesFor(term: SearchTerm): NavigatorCall[] {
	const grep = (args: Record<string, unknown>): NavigatorCall => ({
		tool: "grep",
		args: { ...args, glob: NOISE_GLOB },
	});
	if (term.kind === "symbol") {
		return [
			grep({ pattern: definitionPattern(term.text), limit: DEFINITION_MATCHES }),
			grep({ pattern: term.text, literal: true, limit: SYMBOL_MATCHES }),
		];
	}
	if (term.kind === "phrase")
		return [grep({ pattern: term.text, literal: true, ignoreCase: true, limit: PHRASE_MATCHES })];
	if (term.kind === "compound")
		return [grep({ pattern: compoundPattern(term.text), ignoreCase: true, limit: WORD_MATCHES })];
	if (term.kind === "word")
		return [grep({ pattern: wordPattern(term.stems[0] ?? ""), ignoreCase: true, limit: WORD_MATCHES })];
	return [];
}

function listings(terms: readonly SearchTerm[]): NavigatorCall[] {
	const calls: NavigatorCall[] = [{ tool: "find", args: { pattern: ANY_FILE_GLOB, limit: LISTED_FILES } }];
	const stems = nameStems(terms);
	for (const stem of stems)
		calls.push({ tool: "find", args: { pattern: fileNameGlob(stem), limit: NAMED_FILES } });
	for (const term of terms.filter(({ kind }) => kind === "path")) {
		const glob = pathGlob(term.text);
		if (glob === "") continue;
		calls.push({ tool: "find", args: { pattern: glob, limit: 20 } });
		if (glob.includes("/"))
			calls.push({ tool: "find", args: { pattern: glob.split("/").at(-1) ?? glob, limit: 20 } });
	}
	return calls;
}

function nameStems(terms: readonly SearchTerm[]): string[] {
	const strong = strongWords(terms).map((term) => term.stems[0] ?? "");
	const inNames = terms
		.filter(({ kind }) => kind === "symbol" || kind === "compound")
		.flatMap(({ stems }) => stems.slice(0, 3));
	return [...new Set([...strong, ...inNames])].filter((stem) => stem.length > 2).slice(0, MAX_NAME_WORDS);
}

/** Words that carry meaning; the weak ones only when there are no others. */
function strongWords(terms: readonly SearchTerm[]): SearchTerm[] {
	const words = terms.filter(({ kind }) => kind === "word");
	const strong = words.filter(({ weight }) => weight >= 1);
	return strong.length > 0 ? strong : words;
}

/** Words in pairs and in the names of definitions: what single words are too common to show. */
function combine({ terms, tools }: CodeQuestion, seen: readonly NavigatorToolStep[]): PlannedTurn {
	const calls: NavigatorCall[] = [];
	const nothing = { calls, note: "" };
	if (!tools.has("grep")) return nothing;
	const grep = (args: Record<string, unknown>): number =>
		calls.push({ tool: "grep", args: { ...args, glob: NOISE_GLOB } });
	for (const [left, right] of wordPairs(terms.terms))
		grep({ pattern: pairPattern(left, right), ignoreCase: true, limit: PAIR_MATCHES });
	const { cutPatterns, files } = collectEvidence(seen);
	const common = strongWords(terms.terms).flatMap(({ stems }) =>
		cutPatterns.has(wordPattern(stems[0] ?? "")) ? stems : [],
	);
	if (common.length > 0)
		grep({ pattern: definitionNamePattern(common), ignoreCase: true, limit: WORD_MATCHES });
	const missing = terms.terms.filter(
		({ kind, text }) =>
			kind === "symbol" &&
			![...files.values()].some(({ lines }) => [...lines.values()].some((line) => line.includes(text))),
	);
	for (const { text } of missing)
		grep({ pattern: compoundPattern(text), ignoreCase: true, limit: PHRASE_MATCHES });
	return { calls, note: "Looking for lines where these stand together." };
}

function wordPairs(terms: readonly SearchTerm[]): [SearchTerm, SearchTerm][] {
	const words = terms.filter(({ kind }) => kind === "word");
	const pairs: { pair: [SearchTerm, SearchTerm]; value: number }[] = [];
	words.forEach((left, index) => {
		words.slice(index + 1).forEach((right, distance) => {
			const value = left.weight * right.weight * (distance === 0 ? 1.2 : 1);
			pairs.push({ pair: [left, right], value });
		});
	});
	return pairs
		.sort((a, b) => b.value - a.value)
		.slice(0, MAX_PAIRS)
		.map(({ pair }) => pair);
}

/** The best candidates, each searched for all terms, so that they are compared on equal terms. */
function compare(question: CodeQuestion, seen: readonly NavigatorToolStep[]): PlannedTurn {
	const ranked = rank(question, seen);
	if (!question.tools.has("grep")) return readWholeFiles(question, ranked);
	const pattern = anyTermPattern(question.terms.terms);
	const files = pattern === "" ? [] : ranked.slice(0, CANDIDATE_FILES);
	const named = ranked.filter(({ path }) => isNamedIn(question.terms, path)).slice(0, OUTLINED_FILES);
	return {
		calls: [
			...files.map(({ path }) => ({
				tool: "grep",
				args: { pattern, path, ignoreCase: true, limit: FILE_MATCHES },
			})),
			...named.map(({ path }) => ({
				tool: "grep",
				args: { pattern: OUTLINE_PATTERN, path, limit: OUTLINE_MATCHES },
			})),
		],
		note: `Comparing ${files.length} candidate ${files.length === 1 ? "file" : "files"}.`,
	};
}

/** The task gives this very path, or the end of it. */
function isNamedIn({ terms }: SearchTerms, path: string): boolean {
	return terms.some(
		({ kind, text }) => kind === "path" && `/${path}`.endsWith(`/${text.replace(/^[./~]+/, "")}`),
	);
}

function readWholeFiles({ tools }: CodeQuestion, ranked: readonly RankedFile[]): PlannedTurn {
	const files = tools.has("read") ? ranked.slice(0, WHOLE_FILES) : [];
	return {
		calls: files.map(({ path }) => ({ tool: "read", args: { path, limit: WHOLE_FILE_LINES } })),
		note: `Reading ${files.length} candidate ${files.length === 1 ? "file" : "files"}.`,
	};
}

function readPassages(question: CodeQuestion, seen: readonly NavigatorToolStep[]): PlannedTurn {
	const references = question.tools.has("lsp") ? planReferences(seen) : [];
	if (!question.tools.has("read") || !question.tools.has("grep"))
		return { calls: references, note: references.length === 0 ? "" : "Asking who uses it." };
	const ranked = rank(question, seen);
	const best = ranked[0]?.score ?? 0;
	const worthReading = ranked.filter(
		(file) => file.score >= best * 0.3 && weighPath(file.path, question.terms.wishes) > 0.15,
	);
	const passages = worthReading.slice(0, PASSAGES).map((file) => ({
		tool: "read",
		args: { path: file.path, offset: passageStart(file), limit: PASSAGE_LINES },
	}));
	const around = question.surroundings ? surroundingsOf(question, worthReading) : [];
	return { calls: [...references, ...passages, ...around], note: "Reading the best passages." };
}

/** A little before the best line, so that what it belongs to can be seen. */
function passageStart({ lines, window }: RankedFile): number {
	return Math.max(1, (lines[0]?.line ?? window.first) - LINES_BEFORE);
}

/** Tests named like the best files, and lines that import them. */
function surroundingsOf({ tools }: CodeQuestion, files: readonly RankedFile[]): NavigatorCall[] {
	const bases = [...new Set(files.slice(0, PASSAGES).map(({ path }) => baseNameOf(path)))].filter(
		(base) => base.length > 2,
	);
	if (bases.length === 0) return [];
	const calls: NavigatorCall[] = [];
	if (tools.has("find")) {
		for (const base of bases)
			calls.push({ tool: "find", args: { pattern: fileNameGlob(base), limit: NAMED_FILES } });
	}
	calls.push({
		tool: "grep",
		args: { pattern: importPattern(bases), glob: NOISE_GLOB, limit: PAIR_MATCHES },
	});
	return calls;
}

function rank(question: CodeQuestion, seen: readonly NavigatorToolStep[]): RankedFile[] {
	return rankFiles(collectEvidence(seen), {
		task: question.task,
		terms: question.terms.terms,
		wishes: question.terms.wishes,
	});
}

function describe(terms: readonly SearchTerm[]): string {
	const shown = terms.slice(0, 6).map(({ text }) => (text.length > 40 ? `${text.slice(0, 39)}…` : text));
	return shown.length < terms.length
		? `${shown.join(", ")} and ${terms.length - shown.length} more`
		: shown.join(", ");
}
