import type { CodeIndex, IndexedFile } from "../../code-index/code-index.ts";
import { splitIdentifier } from "../../code-index/split-identifier.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { RankedFile } from "../rank-files.ts";
import { isNaming } from "../search-terms.ts";
import type { TreeFindings, TreeQuestion } from "../search-tree.ts";
import type { Embedder } from "./create-embedder.ts";

/** What a small model says about the best files. */
export interface SemanticScores {
	/** How much nearer than the farthest of them each file is: by its passages and what it defines. */
	readonly nearness: ReadonlyMap<string, number>;
	readonly passages: number;
	/** Why it says nothing. */
	readonly problem?: string;
}

/** Beyond these, hardly any right file was found that the model would have put among the first. */
const MAX_FILES = 15;
/** Where the words cover so much of a question, they decide. */
const MAX_COVERAGE = 0.85;
const MAX_TEXT_CHARS = 600;
const MAX_DEFINED_WORDS = 60;
/** Fitted to the development set: the nearest passage, the mean of its passages, and what the file defines. */
const NEAREST_FACTOR = 2;
const MEAN_FACTOR = 2;
const DEFINED_FACTOR = 3;
const EMPTY_PATH_WORDS: ReadonlySet<string> = new Set(["lib", "src", "dist", "source", "index", "package"]);
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
	readonly kind: "passage" | "defined";
	readonly text: string;
}

function listTexts(index: CodeIndex, { path, nearPassages = [] }: RankedFile): ComparedText[] {
	const file = index.files.find((candidate) => candidate.path === path);
	if (file === undefined || nearPassages.length === 0) return [];
	const title = renderTitle(path);
	const lines = file.text.split("\n");
	const passages = nearPassages.map(({ first, last }): ComparedText => {
		const text = lines
			.slice(first - 1, last)
			.join("\n")
			.slice(0, 2 * MAX_TEXT_CHARS);
		const plain = text.replace(COMMENT_MARKS, "").replace(/\s+/g, " ");
		return { path, kind: "passage", text: `${title}. ${plain}`.slice(0, MAX_TEXT_CHARS) };
	});
	return [...passages, { path, kind: "defined", text: `${title}. ${listDefined(index, file)}` }];
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

function sumByFile(
	texts: readonly ComparedText[],
	vectors: readonly Float32Array[],
	question: Float32Array,
): ReadonlyMap<string, number> {
	const nearness = new Map<string, { passages: number[]; defined: number }>();
	texts.forEach(({ path, kind }, at) => {
		const cosine = vectors[at]?.reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0) ?? 0;
		const known = nearness.get(path) ?? { passages: [], defined: 0 };
		if (kind === "defined") known.defined = cosine;
		else known.passages.push(cosine);
		nearness.set(path, known);
	});
	const sums = [...nearness].map(([path, { passages, defined }]) => {
		const mean = passages.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, passages.length);
		const sum = NEAREST_FACTOR * Math.max(0, ...passages) + MEAN_FACTOR * mean + DEFINED_FACTOR * defined;
		return [path, sum] as const;
	});
	const least = Math.min(...sums.map(([, sum]) => sum));
	return new Map(sums.map(([path, sum]) => [path, sum - least]));
}
