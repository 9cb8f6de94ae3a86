import type { CodeIndex } from "../code-index/code-index.ts";
import type { NavigatorInput, NavigatorStep } from "./navigator-input.ts";
import { createMeaningOpener } from "./open-meaning.ts";
import { openTreeIndex, type TreeOptions } from "./open-tree-index.ts";
import { needsIndex, planNextStep } from "./plan-next-step.ts";

export interface Navigator {
	/** The next step of a run. Never rejects: the step says what went wrong. */
	plan(input: Omit<NavigatorInput, "index" | "indexError" | "openMeaning">): Promise<NavigatorStep>;
}

type Opened = { readonly index: CodeIndex } | { readonly indexError: string };

const CONTENT_TOOLS: readonly string[] = ["grep", "read"];

/** The offline model with the directory it works in. The tree is read once, when a task first needs it. */
export function createNavigator(options: Omit<TreeOptions, "namesOnly">): Navigator {
	let opened: Promise<Opened> | undefined;
	const openMeaning = createMeaningOpener();
	return {
		async plan(input) {
			if (!needsIndex(input)) return planNextStep(input);
			// Whoever may neither search nor read gets by with names.
			const namesOnly = !CONTENT_TOOLS.some((tool) => input.tools.includes(tool));
			// A new task of the same session may find the tree changed.
			if (input.steps.length === 0) opened = undefined;
			opened ??= openTreeIndex({ ...options, namesOnly }).then(
				(index) => ({ index }),
				(error: unknown) => ({ indexError: error instanceof Error ? error.message : String(error) }),
			);
			return planNextStep({ ...input, ...(await opened), openMeaning });
		},
	};
}
