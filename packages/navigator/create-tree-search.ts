import { runSteps } from "@deputize/ground";
import type { CodeIndex } from "./code-index/code-index.ts";
import { searchTreeInSteps, type TreeFindings, type TreeQuestion } from "./search-tree.ts";
import { Unlearned } from "./syntax/syntax.ts";

export type SearchTree = (index: CodeIndex, question: TreeQuestion) => TreeFindings;

/** Thrown out of a plan that asks what was not searched for yet. */
class Unanswered extends Error {
	override readonly name = "Unanswered";
	readonly key: string;
	readonly question: TreeQuestion;

	constructor(key: string, question: TreeQuestion) {
		super("This was not searched for yet.");
		this.key = key;
		this.question = question;
	}
}

/**
 * Searches for a plan that is pure and cannot wait: it is made again for every answer it needs, and answers are remembered as
 * long as the tree is the same, because every turn of a task asks again. Meanwhile the thread serves others.
 */
export function createTreeSearch() {
	let current: CodeIndex | undefined;
	const answers = new Map<string, TreeFindings>();
	const search: SearchTree = (index, question) => {
		if (index !== current) answers.clear();
		current = index;
		const { task, terms, wishes, steps, semantic } = question;
		const key = JSON.stringify([task, terms, wishes, steps, [...(semantic ?? [])]]);
		const known = answers.get(key);
		if (known === undefined) throw new Unanswered(key, question);
		return known;
	};
	return async <Plan>(plan: (search: SearchTree) => Plan, signal?: AbortSignal): Promise<Plan> => {
		for (;;) {
			try {
				return plan(search);
			} catch (error) {
				if (error instanceof Unlearned) {
					await runSteps(error.learn(), signal);
					continue;
				}
				if (!(error instanceof Unanswered) || current === undefined) throw error;
				answers.set(error.key, await runSteps(searchTreeInSteps(current, error.question), signal));
			}
		}
	};
}
