import { cutText, runSteps, ToolError } from "@deputize/ground";
import {
	compareSemantically,
	type Embedder,
	extractTerms,
	groupTwins,
	type OpenGrammars,
	openGrammars,
	type RankedFile,
	searchTreeInSteps,
	settleNames,
	type TreeQuestion,
	type WordVectors,
} from "@deputize/navigator";
import { parseToolInput } from "../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../contract/tool.ts";
import { GRAMMAR_FILES } from "./grammar-files.ts";
import { createMeaningOpener } from "./open-meaning.ts";
import { openTreeIndex, type TreeOptions } from "./open-tree-index.ts";
import { findEmbedder } from "./semantic/create-embedder.ts";

const MAX_FILES = 6;
/** Of the first, second and third file; of the others one. */
const LINES_OF_BEST: readonly number[] = [3, 2, 2];
const MAX_LINE_CHARS = 160;
const MIN_SCORE_SHARE = 0.2;

/** Sent with every request of a child that has it, so every word counts: under 60 tokens. */
const SEARCH_CODE_PARAMETERS = {
	type: "object",
	properties: { query: { type: "string" } },
	required: ["query"],
} as const;

/** The navigator's search for models: finds code by names, words and meaning, and says where to read. */
export function createSearchCodeTool(options: Omit<TreeOptions, "namesOnly" | "signal">): HostNeutralTool {
	const openMeaning = createMeaningOpener();
	const grammars = openGrammars(GRAMMAR_FILES);
	const embedder = findEmbedder(options.agentDirectory);
	return {
		name: "search_code",
		label: "search_code",
		description: "Find code by what it does, or by name. Returns the best places as path:line: text.",
		parameters: SEARCH_CODE_PARAMETERS,
		async execute(input, { signal }) {
			const { query } = parseToolInput(input, SEARCH_CODE_PARAMETERS);
			const text = await search(query, { ...options, signal, grammars }, openMeaning, embedder);
			return { text, details: {}, isError: false };
		},
	};
}

async function search(
	query: string,
	options: TreeOptions & { readonly grammars: OpenGrammars },
	openMeaning: () => WordVectors | undefined,
	embedder: Embedder | undefined,
): Promise<string> {
	const extracted = extractTerms(query);
	if (extracted.terms.length === 0)
		throw new ToolError("INVALID_INPUT", "query contains nothing to search for: name it or describe it.");
	const index = await openTreeIndex(options, query, options.grammars);
	const question = {
		task: query,
		terms: settleNames(extracted.terms, index),
		wishes: extracted.wishes,
		openMeaning,
	};
	const ask = (asked: TreeQuestion) => runSteps(searchTreeInSteps(index, asked), options.signal);
	const findings = await ask(question);
	const semantic =
		embedder && (await compareSemantically(index, findings, question, embedder, options.signal));
	const { ranked } =
		semantic === undefined ? findings : await ask({ ...question, semantic: semantic.nearness });
	const best = ranked[0]?.score ?? 0;
	const groups = groupTwins(ranked.filter(({ score }) => score >= best * MIN_SCORE_SHARE)).slice(
		0,
		MAX_FILES,
	);
	if (groups.length === 0) return `Nothing found in ${index.files.length} files.`;
	return groups.flatMap(({ file }, at) => renderPlaces(file, LINES_OF_BEST[at] ?? 1)).join("\n");
}

/** As `grep` prints them, so that nothing new has to be learned. */
function renderPlaces({ path, lines, byMeaning }: RankedFile, count: number): string[] {
	const mark = byMeaning === true ? " [by meaning]" : "";
	if (lines.length === 0) return [`${path}${mark}`];
	return lines
		.slice(0, count)
		.sort((a, b) => a.line - b.line)
		.map(
			({ line, text }, at) =>
				`${path}:${line}: ${cutText(text.trim(), MAX_LINE_CHARS)}${at === 0 ? mark : ""}`,
		);
}
