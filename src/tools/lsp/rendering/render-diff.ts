import { cutText } from "@deputize/ground";
import { createTwoFilesPatch } from "diff";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { PlannedFile } from "../workspace/plan-workspace-edit.ts";

const CONTEXT_LINES = 2;
/** Two long files with nothing in common would keep the thread for minutes. Counted, not timed: a busy machine shows the same. */
const MAX_EDITS = 3000;

/** Unified diffs that `git apply` takes. `toShown` names the file on both sides. */
export function renderDiffs(files: readonly PlannedFile[], toShown: (path: string) => string): string {
	const text = files.map((file) => renderDiff(file, toShown(file.file))).join("\n");
	return cutText(text, LSP_LIMITS.maxDiffChars, (missing) => `\n[diff cut; ${missing} more characters]`);
}

function renderDiff({ oldText, newText }: PlannedFile, shown: string): string {
	const patch = createTwoFilesPatch(`a/${shown}`, `b/${shown}`, oldText, newText, undefined, undefined, {
		context: CONTEXT_LINES,
		maxEditLength: MAX_EDITS,
		headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
	});
	if (patch === undefined) return `[no diff of ${shown}: more than ${MAX_EDITS} of its lines differ]`;
	// Exactly the last line feed: the line before it may be an empty one of the file.
	return patch.replace(/\n$/, "");
}
