import type { CodeIndex } from "./code-index/code-index.ts";
import { searchTree, type TreeFindings, type TreeQuestion } from "./search-tree.ts";

export type SearchTree = (index: CodeIndex, question: TreeQuestion) => TreeFindings;

/** A search that remembers its answers as long as the tree is the same: every turn of a task asks again. */
export function createTreeSearch(): SearchTree {
	let current: CodeIndex | undefined;
	const answers = new Map<string, TreeFindings>();
	return (index, question) => {
		if (index !== current) answers.clear();
		current = index;
		const { task, terms, wishes, steps, semantic } = question;
		const key = JSON.stringify([task, terms, wishes, steps, [...(semantic ?? [])]]);
		const findings = answers.get(key) ?? searchTree(index, question);
		answers.set(key, findings);
		return findings;
	};
}
