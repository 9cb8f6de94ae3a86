import { diffArrays } from "diff";
import { type ChangedFile, type ChangedLine, MAX_LINE_CHARS } from "./parse-diff.ts";

/** Lines that differ: more take seconds to pair. Counted, not timed, so that a busy machine finds the same. */
const MAX_EDITS = 1500;

/** The lines that differ between two versions of a file; `after` is undefined for one that was removed. */
export function compareTexts(path: string, before: string, after: string | undefined): ChangedFile {
	const old = toLines(before);
	// An editor or Git itself made the line ends: no line was changed by that.
	const fresh = toLines(before.includes("\r\n") ? (after ?? "") : (after ?? "").replaceAll("\r\n", "\n"));
	let same = 0;
	while (same < old.length && same < fresh.length && old[same] === fresh[same]) same += 1;
	let sameAtEnd = 0;
	while (
		sameAtEnd < Math.min(old.length, fresh.length) - same &&
		old.at(-1 - sameAtEnd) === fresh.at(-1 - sameAtEnd)
	)
		sameAtEnd += 1;
	const left = old.slice(same, old.length - sameAtEnd);
	const right = fresh.slice(same, fresh.length - sameAtEnd);
	const parts = diffArrays(left, right, { maxEditLength: MAX_EDITS }) ?? [
		{ value: left, removed: true, added: false },
		{ value: right, removed: false, added: true },
	];
	const added: ChangedLine[] = [];
	const removed: ChangedLine[] = [];
	const at = { old: same, new: same };
	for (const part of parts) {
		for (const line of part.value) {
			if (!part.added) at.old += 1;
			if (!part.removed) at.new += 1;
			const text = line.slice(0, MAX_LINE_CHARS);
			if (part.added) added.push({ line: at.new, text });
			if (part.removed) removed.push({ line: at.old, text });
		}
	}
	return { path, added, removed, isDeleted: after === undefined };
}

function toLines(text: string): string[] {
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines;
}
