import { buildCodeIndex } from "../code-index/build-code-index.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import type { Judge } from "../judge/create-judge.ts";
import { createOpenTest } from "../judge/create-open-test.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { listTreeFiles } from "./list-tree-files.ts";
import type { NavigatorInput, NavigatorStep } from "./navigator-input.ts";
import { createMeaningOpener } from "./open-meaning.ts";
import { needsIndex, planNextStep } from "./plan-next-step.ts";

export interface Navigator {
	/** The next step of a run. Never rejects: what went wrong is said in the step. */
	plan(input: Omit<NavigatorInput, "index" | "indexError" | "openMeaning">): Promise<NavigatorStep>;
}

type Opened = { readonly index: CodeIndex } | { readonly indexError: string };

const CONTENT_TOOLS: readonly string[] = ["grep", "read"];

/** The offline model with the directory it works in. The tree is read once, when a task first needs it. */
export function createNavigator(options: {
	readonly cwd: string;
	/** Which files of the tree may be read. */
	readonly judge: Judge;
	readonly signal?: AbortSignal;
}): Navigator {
	let opened: Promise<Opened> | undefined;
	const openMeaning = createMeaningOpener();
	return {
		async plan(input) {
			if (!needsIndex(input)) return planNextStep(input);
			// Whoever may neither search nor read gets by with names.
			const namesOnly = !CONTENT_TOOLS.some((tool) => input.tools.includes(tool));
			// A new task of the same session may find the tree changed.
			if (input.steps.length === 0) opened = undefined;
			opened ??= openIndex({ ...options, namesOnly });
			return planNextStep({ ...input, ...(await opened), openMeaning });
		},
	};
}

async function openIndex(options: {
	readonly cwd: string;
	readonly judge: Judge;
	readonly signal?: AbortSignal;
	readonly namesOnly: boolean;
}): Promise<Opened> {
	const { cwd, judge, signal, namesOnly } = options;
	try {
		const isOpen = createOpenTest(canonicalPath(cwd), judge);
		const paths = (await listTreeFiles(cwd, signal)).filter(isOpen);
		const index = await buildCodeIndex({ root: cwd, paths, namesOnly, ...(signal && { signal }) });
		return { index };
	} catch (error) {
		return { indexError: error instanceof Error ? error.message : String(error) };
	}
}
