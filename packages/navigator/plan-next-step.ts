import { defined } from "@deputize/ground";
import type { Changes, GitFacts } from "./changes/git-facts.ts";
import { planDiagnostics } from "./changes/plan-diagnostics.ts";
import { renderReview } from "./changes/render-review.ts";
import type { CodeIndex } from "./code-index/code-index.ts";
import { DISCLOSURE } from "./disclosure.ts";
import { extractTerms } from "./extract-terms.ts";
import type { NavigatorInput, NavigatorStep } from "./navigator-input.ts";
import type { NavigatorToolStep, PlanTurn } from "./navigator-tool-step.ts";
import { listErrors } from "./navigator-tool-step.ts";
import { CODE_SEARCH_TURNS } from "./plan-code-search.ts";
import { OVERVIEW_TURNS } from "./plan-overview.ts";
import { RESEARCH_TURNS } from "./plan-research.ts";
import { recallSession } from "./recall-session.ts";
import { renderFindings } from "./render-findings.ts";
import { renderOverview } from "./render-overview.ts";
import { renderResearch } from "./render-research.ts";
import type { SearchTerms } from "./search-terms.ts";
import { searchTree, type TreeFindings, type TreeQuestion } from "./search-tree.ts";
import { settleNames } from "./take-names.ts";

export type { NavigatorInput, NavigatorStep } from "./navigator-input.ts";

/** More files of one name are not what somebody means who names one. */
const MAX_WHOLE_FILES = 3;
const CODE_TOOLS = ["grep", "find", "ls", "lsp"] as const;
const WEB_TOOLS = ["web_search", "fetch_content", "convert_content"] as const;
const KNOWN_TOOLS: ReadonlySet<string> = new Set([...CODE_TOOLS, ...WEB_TOOLS, "read", "get_search_content"]);

/**
 * The offline model: given a task and everything the tools have returned so far, decides the next tool calls or ends
 * the run. Pure, deterministic and without any language model; it never throws, whatever the strings are.
 *
 * Nothing is remembered between calls. Each turn is planned again from the steps before it, and is done when as many
 * steps exist as it planned, so every run ends after a bounded number of calls.
 */
export function planNextStep(input: NavigatorInput): NavigatorStep {
	const tools = new Set(input.tools.filter((tool) => KNOWN_TOOLS.has(tool)));
	const steps = input.steps.filter(({ tool }) => KNOWN_TOOLS.has(tool));
	const { terms, answer } = recallSession(toTermsFor(input.agent, input.task), input.history ?? []);
	if (answer !== undefined) return succeed(answer);
	const run = { input, terms, tools, steps };
	if (needsIndex(input)) return terms.wishes.overview ? overview(run) : searchCode(run);
	return WEB_TOOLS.some((tool) => tools.has(tool))
		? research(run)
		: finishWithError(explainMissingTools(input));
}

interface Run {
	readonly input: NavigatorInput;
	readonly terms: SearchTerms;
	/** Those that the navigator can use, and what they have answered. */
	readonly tools: ReadonlySet<string>;
	readonly steps: readonly NavigatorToolStep[];
}

/** What a task asks of the tree; undefined when it is answered in another way. */
export function selectTreeQuestion(input: NavigatorInput): TreeQuestion | undefined {
	const { agent, task, history = [], index, git } = input;
	const { terms, answer } = recallSession(toTermsFor(agent, task), history);
	if (index === undefined || answer !== undefined || terms.wishes.overview || terms.terms.length === 0)
		return undefined;
	return isReview(agent, git) ? undefined : toTreeQuestion(input, index, terms);
}

function toTreeQuestion(
	input: NavigatorInput,
	index: CodeIndex,
	{ terms, wishes }: SearchTerms,
): TreeQuestion {
	return {
		task: input.task,
		terms: settleNames(terms, index),
		wishes,
		...defined({ openMeaning: input.openMeaning, semantic: input.semantic?.nearness }),
	};
}

const isReview = (agent: string, git: GitFacts | undefined): boolean =>
	git?.changes !== undefined && agent === "reviewer";

function searchCode(run: Run): NavigatorStep {
	const { input, terms: extracted, tools, steps } = run;
	const { index, git, semantic, search = searchTree } = input;
	if (extracted.terms.length === 0 && git?.changes === undefined)
		return finishWithError(git?.problem ?? EMPTY_TASK);
	if (index === undefined) {
		const reason = input.indexError ?? "its files were not listed";
		return finishWithError(
			`The directory could not be searched, so nothing can be said about the task: ${reason}`,
		);
	}
	if (git?.changes !== undefined && isReview(input.agent, git)) return review(run, index, git, git.changes);
	const whole = input.agent === "reviewer" ? selectWholeFiles(index, extracted) : undefined;
	if (whole !== undefined) return review(run, index, git ?? { commits: [] }, whole);
	const question = toTreeQuestion(input, index, extracted);
	const terms = { ...extracted, terms: question.terms };
	// Only a language server's answers change the order; what was read is quoted.
	const find = (seen: readonly NavigatorToolStep[]): TreeFindings =>
		search(index, { ...question, steps: seen.filter(({ tool }) => tool === "lsp") });
	const code = { terms, tools, rank: (seen: readonly NavigatorToolStep[]) => find(seen).ranked };
	const next = replay(CODE_SEARCH_TURNS, code, steps);
	if (next !== undefined) return next;
	const { evidence, ranked } = find(steps);
	const { agent, task, verbose = false } = input;
	return succeed(
		renderFindings({
			agent,
			task,
			terms,
			steps,
			index,
			evidence,
			errors: listErrors(steps),
			ranked,
			verbose,
			...defined({ git, semantic }),
		}),
	);
}

/** A review of files that the task names, without a change: they are looked at whole. */
function selectWholeFiles({ files }: CodeIndex, { terms }: SearchTerms): Changes | undefined {
	const named = terms.filter(({ kind }) => kind === "path").map(({ text }) => text);
	const found = files.filter(({ path }) => named.some((name) => path === name || path.endsWith(`/${name}`)));
	if (found.length === 0 || found.length > MAX_WHOLE_FILES) return undefined;
	return {
		title: "files as they are, no change",
		isWhole: true,
		files: found.map(({ path, text }) => ({
			path,
			added: text
				.replace(/\n$/, "")
				.split("\n")
				.map((line, at) => ({ line: at + 1, text: line })),
			removed: [],
			isDeleted: false,
		})),
	};
}

/** A change is reviewed as it is, not searched for. */
function review(
	{ input: { agent, verbose = false, isSecret }, tools, steps }: Run,
	index: CodeIndex,
	facts: GitFacts,
	changes: Changes,
): NavigatorStep {
	const calls = tools.has("lsp") ? planDiagnostics(changes) : [];
	const turn = { calls, note: "Asking the language server about the changed files." };
	const next = replay([() => turn], changes, steps);
	return (
		next ?? succeed(renderReview({ agent, facts, changes, index, steps, verbose, ...defined({ isSecret }) }))
	);
}

function overview({ tools, steps }: Run): NavigatorStep {
	const next = replay(OVERVIEW_TURNS, tools, steps);
	if (next !== undefined) return next;
	const text = renderOverview(steps);
	return text === undefined
		? finishWithError("The directory could not be listed, or is empty: there is nothing to describe.")
		: succeed(text);
}

function research({ input, terms, tools, steps }: Run): NavigatorStep {
	const next = replay(RESEARCH_TURNS, { task: input.task, terms, tools }, steps);
	if (next !== undefined) return next;
	const text = renderResearch(steps, terms);
	if (text !== undefined) return succeed(text);
	const errors = listErrors(steps);
	return finishWithError(
		errors.length > 0
			? `No source could be read. ${[...new Set(errors)].slice(0, 3).join("; ")}`
			: "No source was found. Give an address to read, or other words to search for.",
	);
}

/** Whether a task is answered from the files of the tree, so that they have to be read first. */
export function needsIndex({ tools }: Pick<NavigatorInput, "tools">): boolean {
	return CODE_TOOLS.some((tool) => tools.includes(tool));
}

/** A tester is asked for tests, but looks for the code under test; the tests are listed beside it. */
function toTermsFor(agent: string, task: string): SearchTerms {
	const terms = extractTerms(task);
	return agent === "tester" ? { ...terms, wishes: { ...terms.wishes, tests: false } } : terms;
}

/** Turns are planned from what earlier turns returned, so the same steps always lead to the same place. */
function replay<Subject>(
	turns: readonly PlanTurn<Subject>[],
	subject: Subject,
	steps: readonly NavigatorToolStep[],
): NavigatorStep | undefined {
	let used = 0;
	for (const turn of turns) {
		const planned = turn(subject, steps.slice(0, used));
		if (used + planned.calls.length > steps.length) {
			return { kind: "call", calls: planned.calls.slice(steps.length - used), note: planned.note };
		}
		used += planned.calls.length;
	}
	return undefined;
}

function explainMissingTools({ agent, tools }: NavigatorInput): string {
	const granted = tools.length === 0 ? "no tools" : `only ${tools.join(", ").slice(0, 200)}`;
	return `The offline navigator answers by searching, and the agent "${agent.slice(0, 64)}" was granted ${granted}. Grant it grep, find, ls or web_search in its agent file, or run it with a language model.`;
}

const EMPTY_TASK =
	"The task contains nothing that can be searched for. Name a symbol, a file, a phrase in quotes, or describe the behavior in a few words; the offline navigator searches, it does not converse.";

function succeed(result: string): NavigatorStep {
	return { kind: "finalize", status: "SUCCESS", result: `${DISCLOSURE}\n${result.toWellFormed()}` };
}

function finishWithError(error: string): NavigatorStep {
	return { kind: "finalize", status: "ERROR", error: error.toWellFormed() };
}
