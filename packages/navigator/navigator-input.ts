import type { GitFacts } from "./changes/git-facts.ts";
import type { CodeIndex } from "./code-index/code-index.ts";
import type { WordVectors } from "./code-index/embed-words.ts";
import type { SearchTree } from "./create-tree-search.ts";
import type { NavigatorToolStep, PlannedTurn } from "./navigator-tool-step.ts";
import type { SemanticScores } from "./semantic/compare-semantically.ts";

export interface NavigatorInput {
	/** A built-in agent's name or a custom one. */
	readonly agent: string;
	readonly task: string;
	/** The tools the child really has. */
	readonly tools: readonly string[];
	/** Every tool call of this task so far, in the order they were asked for. */
	readonly steps: readonly NavigatorToolStep[];
	/** Earlier tasks of the same session, oldest first, with the findings given then. */
	readonly history?: readonly { readonly task: string; readonly answer: string }[];
	/** The tree the child works in; absent when it could not be read. */
	readonly index?: CodeIndex;
	/** Why the tree could not be read. */
	readonly indexError?: string;
	/** Opens the table of meanings; undefined when it is not there. */
	readonly openMeaning?: () => WordVectors | undefined;
	/** How a small model sees the best files, where one was asked. */
	readonly semantic?: SemanticScores;
	/** Remembers what was found already. */
	readonly search?: SearchTree;
	/** What Git knows, for tasks that need it. */
	readonly git?: GitFacts;
	/** Whether a line of code contains what looks like a secret. */
	readonly isSecret?: (line: string) => boolean;
	/** Everything that was found instead of fifteen lines. */
	readonly verbose?: boolean;
}

export type NavigatorStep =
	| ({ readonly kind: "call" } & PlannedTurn)
	| { readonly kind: "finalize"; readonly status: "SUCCESS"; readonly result: string }
	| { readonly kind: "finalize"; readonly status: "ERROR"; readonly error: string; readonly result?: string };
