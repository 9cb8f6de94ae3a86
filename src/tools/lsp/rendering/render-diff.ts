import { LSP_LIMITS } from "../lsp-limits.ts";
import type { PlannedFile } from "../workspace/plan-workspace-edit.ts";

const CONTEXT_LINES = 2;

interface Hunk {
	readonly oldStart: number;
	readonly oldEnd: number;
	readonly newStart: number;
	readonly newEnd: number;
}

/** A unified diff that `git apply` takes. `shownPath` names the file on both sides. */
export function renderDiff(file: PlannedFile, shownPath: string): string {
	const oldLines = toDiffLines(file.oldText);
	const newLines = toDiffLines(file.newText);
	const hunks = joinNear(findHunks(file, oldLines.length, newLines.length));
	const body = hunks.flatMap((hunk) => renderHunk(hunk, oldLines, newLines));
	return [`--- a/${shownPath}`, `+++ b/${shownPath}`, ...body].join("\n");
}

export function renderDiffs(files: readonly PlannedFile[], toShown: (path: string) => string): string {
	const text = files.map((file) => renderDiff(file, toShown(file.file))).join("\n");
	if (text.length <= LSP_LIMITS.maxDiffChars) return text;
	return `${text.slice(0, LSP_LIMITS.maxDiffChars)}\n[diff cut; ${text.length - LSP_LIMITS.maxDiffChars} more characters]`;
}

/** Lines with their own carriage returns; only line feeds separate lines in a diff. */
function toDiffLines(text: string): readonly string[] {
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines;
}

/** The changed ranges are known, so nothing has to be compared. */
function findHunks(file: PlannedFile, oldCount: number, newCount: number): readonly Hunk[] {
	const sorted = [...file.changes].sort((a, b) => a.range.start.line - b.range.start.line);
	const hunks: Hunk[] = [];
	let shift = 0;
	for (const { range, newText } of sorted) {
		const removed = range.end.line - range.start.line;
		const added = newText.split("\n").length - 1;
		const oldStart = Math.min(range.start.line, oldCount);
		const oldEnd = Math.min(range.end.line + 1, oldCount);
		const newStart = oldStart + shift;
		shift += added - removed;
		hunks.push({ oldStart, oldEnd, newStart, newEnd: Math.min(oldEnd + shift, newCount) });
	}
	return hunks;
}

function joinNear(hunks: readonly Hunk[]): readonly Hunk[] {
	const joined: Hunk[] = [];
	for (const hunk of hunks) {
		const last = joined.at(-1);
		if (last !== undefined && hunk.oldStart - last.oldEnd <= 2 * CONTEXT_LINES) {
			joined[joined.length - 1] = {
				...last,
				oldEnd: Math.max(last.oldEnd, hunk.oldEnd),
				newEnd: Math.max(last.newEnd, hunk.newEnd),
			};
		} else {
			joined.push(hunk);
		}
	}
	return joined;
}

function renderHunk(hunk: Hunk, oldLines: readonly string[], newLines: readonly string[]): readonly string[] {
	const before = Math.min(CONTEXT_LINES, hunk.oldStart);
	const after = Math.min(CONTEXT_LINES, oldLines.length - hunk.oldEnd);
	const oldSize = hunk.oldEnd - hunk.oldStart + before + after;
	const newSize = hunk.newEnd - hunk.newStart + before + after;
	return [
		`@@ -${hunk.oldStart - before + 1},${oldSize} +${hunk.newStart - before + 1},${newSize} @@`,
		...oldLines.slice(hunk.oldStart - before, hunk.oldStart).map((line) => ` ${line}`),
		...oldLines.slice(hunk.oldStart, hunk.oldEnd).map((line) => `-${line}`),
		...newLines.slice(hunk.newStart, hunk.newEnd).map((line) => `+${line}`),
		...oldLines.slice(hunk.oldEnd, hunk.oldEnd + after).map((line) => ` ${line}`),
	];
}
