import { weighPath } from "./classify-path.ts";
import { planReferences } from "./find-references.ts";
import type { NavigatorCall, NavigatorToolStep, PlannedTurn, PlanTurn } from "./navigator-tool-step.ts";
import type { RankedFile } from "./rank-files.ts";
import type { SearchTerms } from "./search-terms.ts";

interface CodeQuestion {
	readonly terms: SearchTerms;
	readonly tools: ReadonlySet<string>;
	/** Ranks with what the given steps have shown. */
	readonly rank: (steps: readonly NavigatorToolStep[]) => readonly RankedFile[];
}

const SYMBOL_QUERIES = 2;
const PASSAGES = 3;
const PASSAGE_LINES = 40;
const LINES_BEFORE = 8;
const WORTH_READING_SHARE = 0.3;
const MIN_PATH_WEIGHT = 0.15;

/** The turns of a search, in order. Each is a pure function of the question and of what earlier turns brought. */
export const CODE_SEARCH_TURNS: readonly PlanTurn<CodeQuestion>[] = [askForSymbols, readPassages];

function askForSymbols({ terms, tools }: CodeQuestion): PlannedTurn {
	const names = terms.terms.filter(({ kind, text }) => kind === "symbol" && /^[A-Za-z_$][\w$]*$/.test(text));
	const calls = tools.has("lsp")
		? names
				.slice(0, SYMBOL_QUERIES)
				.map(({ text }): NavigatorCall => ({ tool: "lsp", args: { action: "symbols", query: text } }))
		: [];
	return { calls, note: `Asking the language server for ${names.map(({ text }) => text).join(", ")}.` };
}

/** What is quoted is read once more through the child's own tool, so that the record shows where it came from. */
function readPassages(question: CodeQuestion, seen: readonly NavigatorToolStep[]): PlannedTurn {
	const references = question.tools.has("lsp") ? planReferences(seen) : [];
	if (!question.tools.has("read"))
		return { calls: references, note: references.length === 0 ? "" : "Asking who uses it." };
	const ranked = question.rank(seen);
	const best = ranked[0]?.score ?? 0;
	const passages = ranked
		.filter(
			({ score, path }) =>
				score >= best * WORTH_READING_SHARE && weighPath(path, question.terms.wishes) > MIN_PATH_WEIGHT,
		)
		.slice(0, PASSAGES)
		.map((file) => ({
			tool: "read",
			args: { path: file.path, offset: passageStart(file), limit: PASSAGE_LINES },
		}));
	return { calls: [...references, ...passages], note: "Reading the best passages." };
}

/** A little before the best line, so that what it belongs to can be seen. */
function passageStart({ lines, window }: RankedFile): number {
	return Math.max(1, (lines[0]?.line ?? window.first) - LINES_BEFORE);
}
