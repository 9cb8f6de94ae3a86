import { defined, type Environment, messageOf } from "@deputize/ground";
import {
	type CodeIndex,
	compareSemantically,
	createTreeSearch,
	type GitFacts,
	type NavigatorInput,
	type NavigatorStep,
	needsGit,
	needsIndex,
	openGrammars,
	planNextStep,
	type SemanticScores,
	selectTreeQuestion,
} from "@deputize/navigator";
import { sanitizeOutput } from "@deputize/redaction";
import type { WrapCommand } from "../git/confine-git.ts";
import { readGitFacts } from "./changes/read-git-facts.ts";
import { GRAMMAR_FILES } from "./grammar-files.ts";
import { createMeaningOpener } from "./open-meaning.ts";
import { openTreeIndex, type TreeOptions } from "./open-tree-index.ts";
import { findEmbedder } from "./semantic/create-embedder.ts";

export interface Navigator {
	/** The next step of a run. Never rejects: the step says what went wrong. */
	plan(
		input: Omit<
			NavigatorInput,
			"index" | "indexError" | "openMeaning" | "semantic" | "search" | "git" | "isSecret"
		>,
	): Promise<NavigatorStep>;
}

export interface NavigatorOptions extends Omit<TreeOptions, "namesOnly"> {
	/** Where Git and linters are looked for; absent: nothing is asked of them. */
	readonly env?: Environment;
	/** Whether programs and settings of the project itself may run. */
	readonly projectTrusted?: boolean;
	/** Starts Git in a sandbox of its own; absent where none works. */
	readonly wrap?: WrapCommand;
}

type Opened = { readonly index: CodeIndex } | { readonly indexError: string };

/** Longer lines are data or bundles. */
const MAX_SECRET_LINE_CHARS = 400;
const CONTENT_TOOLS: readonly string[] = ["grep", "read"];

const countMarks = (text: string): number => text.split("[REDACTED").length - 1;

/** As the redactor sees it, which hides it wherever it leaves the process. A line may have the mark itself: that is no secret. */
const hasSecret = (line: string): boolean =>
	line.length < MAX_SECRET_LINE_CHARS && countMarks(sanitizeOutput(line)) > countMarks(line);

/** The offline model with the directory it works in. The tree is read once, when a task first needs it. */
export function createNavigator(options: NavigatorOptions): Navigator {
	let opened: Promise<Opened> | undefined;
	let git: Promise<GitFacts> | undefined;
	let semantic: Promise<SemanticScores | undefined> | undefined;
	const openMeaning = createMeaningOpener();
	const grammars = openGrammars(GRAMMAR_FILES);
	const withSearch = createTreeSearch();
	const embedder = findEmbedder(options.agentDirectory);
	/** Never rejects, except when nobody waits any more: without the model the order is that of words and meanings. */
	const askModel = async (input: NavigatorInput): Promise<SemanticScores | undefined> => {
		const question = embedder && selectTreeQuestion(input);
		if (embedder === undefined || question === undefined || input.index === undefined) return undefined;
		const { index } = input;
		const findings = await withSearch((search) => search(index, { ...question, steps: [] }), options.signal);
		return compareSemantically(index, findings, question, embedder, options.signal);
	};
	return {
		async plan(input) {
			if (!needsIndex(input)) return planNextStep(input);
			// Whoever may neither search nor read gets by with names.
			const namesOnly = !CONTENT_TOOLS.some((tool) => input.tools.includes(tool));
			// A new task of the same session may find the tree changed.
			if (input.steps.length === 0) {
				opened = undefined;
				git = undefined;
				semantic = undefined;
			}
			opened ??= openTreeIndex({ ...options, namesOnly }, input.task, grammars).then(
				(index) => ({ index }),
				(error: unknown) => ({ indexError: messageOf(error) }),
			);
			// History shows what files contained: only for those who may read them.
			if (options.env !== undefined && !namesOnly && needsGit(input.agent, input.task))
				git ??= readGitFacts(input.task, {
					...options,
					env: options.env,
					projectTrusted: options.projectTrusted === true,
				});
			const known = { ...input, ...(await opened), openMeaning, ...defined({ git: await git }) };
			semantic ??= askModel(known);
			const asked = { ...known, isSecret: hasSecret, ...defined({ semantic: await semantic }) };
			return withSearch((search) => planNextStep({ ...asked, search }), options.signal);
		},
	};
}
