import { toOneLine } from "@deputize/ground";
import type { DelegationDetails, ResultChanges } from "../../../../contract/result.ts";
import {
	noteChanges,
	renderChangedFile,
	summarizeChanges,
} from "../../../../delegation/to-result-changes.ts";
import { type Pen, toPlainText } from "./pen.ts";

const INDENT = 3;
const MAX_FILES = 3;

/** Below a folded card: what was changed, and that it is not applied. */
export function drawChanges({ changes }: DelegationDetails, pen: Pen): readonly string[] {
	if (changes === undefined) return [];
	const { files } = changes;
	const more = files.length > MAX_FILES ? [`and ${files.length - MAX_FILES} more`] : [];
	const named = [...files.slice(0, MAX_FILES).map(renderChangedFile), ...more].join(", ");
	const color = changes.state === "applied" ? "success" : "warning";
	return [
		pen.fit(`   ${pen.theme.fg(color, toOneLine(summarizeChanges(changes)))}`),
		...(files.length > 0 ? [pen.fit(`   ${pen.theme.fg("muted", `${named} · /toolkit changes`)}`)] : []),
	];
}

/** All of it, with the diff in color. */
export function drawDiff(changes: ResultChanges | undefined, pen: Pen): readonly string[] {
	if (changes === undefined) return [];
	const notes = noteChanges(changes).join("\n").split("\n");
	const patch = (changes.patch ?? "").split("\n").map((line) => pen.fit(`   ${colorLine(line, pen)}`));
	return [...notes.flatMap((line) => pen.wrap(pen.theme.fg("muted", toOneLine(line)), INDENT)), ...patch, ""];
}

function colorLine(line: string, { theme }: Pen): string {
	const text = toPlainText(line.replaceAll("\t", "  "));
	if (/^(\+\+\+|---|diff |index )/.test(line)) return theme.fg("muted", text);
	if (line.startsWith("+")) return theme.fg("toolDiffAdded", text);
	if (line.startsWith("-")) return theme.fg("toolDiffRemoved", text);
	return theme.fg("toolDiffContext", text);
}
