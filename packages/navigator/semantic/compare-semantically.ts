import { messageOf } from "@deputize/ground";
import { classifyLine } from "../classify-line.ts";
import type { CodeIndex, IndexedFile } from "../code-index/code-index.ts";
import { splitIdentifier } from "../code-index/split-identifier.ts";
import type { RankedFile } from "../rank-files.ts";
import { isNaming } from "../search-terms.ts";
import type { TreeFindings, TreeQuestion } from "../search-tree.ts";
import type { FileFacts } from "../syntax/file-facts.ts";
import type { Embedder } from "./embedder.ts";

/** What a small model says about the best files. */
export interface SemanticScores {
	/** How much nearer than the farthest of them each file is: by its passages and what it defines. */
	readonly nearness: ReadonlyMap<string, number>;
	readonly passages: number;
	/** Why it says nothing. */
	readonly problem?: string;
}

/** Beyond these, hardly any right file was found that the model would have put among the first. */
const MAX_FILES = 12;
/** Where the words cover so much of a question, they decide. */
const MAX_COVERAGE = 0.85;
const MAX_TEXT_CHARS = 600;
const MAX_DEFINED_WORDS = 60;
const MAX_HEAD_LINES = 26;
/** How far the beginning of a file is looked for below licenses and imports. */
const MAX_LINES_BEFORE_HEAD = 400;
/** Fitted to the development and spent sets, together with the factors of `mix-meaning.ts`. */
const FACTORS = { passage: 2.2, defined: 1.6, head: 1.9 } as const;
const EMPTY_PATH_WORDS: ReadonlySet<string> = new Set(["lib", "src", "dist", "source", "index", "package"]);
const FORMALITY = /licen[sc]e|copyright|^\s*['"]use strict/i;
const COMMENT_MARKS = /^\s*(?:\/\*+|\*\/?|\/\/+|#+)\s?|\*\/\s*$/gm;

/** Undefined where words decide: something is named, or one passage has nearly all of the question. */
export async function compareSemantically(
	index: CodeIndex,
	{ ranked, coverage }: Pick<TreeFindings, "ranked" | "coverage">,
	{ task, terms }: Pick<TreeQuestion, "task" | "terms">,
	embedder: Embedder,
	signal?: AbortSignal,
): Promise<SemanticScores | undefined> {
	if (terms.some(isNaming) || coverage > MAX_COVERAGE) return undefined;
	const texts = ranked.slice(0, MAX_FILES).flatMap((file) => listTexts(index, file));
	if (texts.length === 0) return undefined;
	try {
		const [question, ...vectors] = await embedder.embed([task, ...texts.map(({ text }) => text)], signal);
		if (question === undefined) return undefined;
		return { nearness: sumByFile(texts, vectors, question), passages: texts.length };
	} catch (error) {
		signal?.throwIfAborted();
		return { nearness: new Map(), passages: 0, problem: messageOf(error) };
	}
}

interface ComparedText {
	readonly path: string;
	readonly kind: keyof typeof FACTORS;
	readonly text: string;
}

/** What a file does in the places that tell, what it is called and defines, and how it begins. */
function listTexts(index: CodeIndex, { path, tellingPassages = [] }: RankedFile): ComparedText[] {
	const file = index.files.find((candidate) => candidate.path === path);
	if (file === undefined || tellingPassages.length === 0) return [];
	const title = renderTitle(path);
	const lines = file.text.split("\n");
	const toText = (kind: ComparedText["kind"], text: string): ComparedText => ({
		path,
		kind,
		text: `${title}. ${text}`.slice(0, MAX_TEXT_CHARS),
	});
	return [
		...tellingPassages.map(({ first, last }) =>
			toText("passage", stripCommentMarks(lines.slice(first - 1, last))),
		),
		toText("defined", listDefined(index, file)),
		toText("head", stripCommentMarks(selectHead(lines, index.syntax?.factsOf(file)))),
	];
}

/** A file says what it is for at its beginning, below formalities and imports. */
function selectHead(lines: readonly string[], facts: FileFacts | undefined): string[] {
	return lines
		.slice(0, MAX_LINES_BEFORE_HEAD)
		.filter(
			(line, at) =>
				line.trim() !== "" && !FORMALITY.test(line) && classifyLine(facts, at + 1, line).role !== "import",
		)
		.slice(0, MAX_HEAD_LINES);
}

function stripCommentMarks(lines: readonly string[]): string {
	const text = lines.join("\n").slice(0, 2 * MAX_TEXT_CHARS);
	return text.replace(COMMENT_MARKS, "").replace(/\s+/g, " ");
}

function renderTitle(path: string): string {
	return splitIdentifier(path.replace(/\.[a-z.]+$/i, ""))
		.filter((word) => !EMPTY_PATH_WORDS.has(word))
		.join(" ");
}

function listDefined({ words }: CodeIndex, { definedWords }: IndexedFile): string {
	return [...definedWords]
		.slice(0, MAX_DEFINED_WORDS)
		.map((number) => words[number] ?? "")
		.join(" ");
}

/** Of each kind the nearest text of a file counts. */
function sumByFile(
	texts: readonly ComparedText[],
	vectors: readonly Float32Array[],
	question: Float32Array,
): ReadonlyMap<string, number> {
	const nearest = new Map<string, Record<ComparedText["kind"], number>>();
	texts.forEach(({ path, kind }, at) => {
		const cosine = vectors[at]?.reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0) ?? 0;
		const known = nearest.get(path) ?? { passage: 0, defined: 0, head: 0 };
		nearest.set(path, { ...known, [kind]: Math.max(known[kind], cosine) });
	});
	const sums = [...nearest].map(
		([path, { passage, defined, head }]) =>
			[path, FACTORS.passage * passage + FACTORS.defined * defined + FACTORS.head * head] as const,
	);
	const least = Math.min(...sums.map(([, sum]) => sum));
	return new Map(sums.map(([path, sum]) => [path, sum - least]));
}
