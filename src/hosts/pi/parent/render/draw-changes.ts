import { formatCount, splitLines, toOneLine } from "@deputize/ground";
import { renderPatch } from "../../../../commands/describe-changes.ts";
import type { ChangedFile } from "../../../../contract/changes.ts";
import type { DelegationDetails, ResultChanges, StreamingDisplay } from "../../../../contract/result.ts";
import {
	noteChanges,
	renderCommand,
	renderCounts,
	summarizeChanges,
} from "../../../../delegation/to-result-changes.ts";
import { type Pen, toPlainText } from "./pen.ts";

const INDENT = 3;
const MAX_FILES = 3;

/** While it is at work: where it writes, and what it has changed so far. */
export function drawSoFar(layer: StreamingDisplay["layer"], pen: Pen): readonly string[] {
	if (layer === undefined) return [];
	const { theme } = pen;
	const count = layer.files.length + layer.more;
	const where = `in a ${layer.isolation}`;
	const named = layer.files.slice(0, MAX_FILES).map((file) => drawFile(file, pen));
	const rest = count - named.length;
	const changed =
		count === 0
			? [theme.fg("muted", "nothing changed yet")]
			: [...named, ...(rest > 0 ? [theme.fg("muted", `and ${rest} more`)] : [])];
	return [
		pen.fit(
			`   ${theme.fg("accent", where)}${theme.fg("muted", " · ")}${changed.join(theme.fg("muted", ", "))}`,
		),
	];
}

export function drawFile({ path, status, added, removed }: ChangedFile, { theme }: Pen): string {
	const note = status === "added" ? " new" : status === "deleted" ? " gone" : "";
	const lines =
		added === undefined
			? theme.fg("muted", " not text")
			: `${added > 0 ? theme.fg("toolDiffAdded", ` +${added}`) : ""}${removed ? theme.fg("toolDiffRemoved", ` −${removed}`) : ""}`;
	return `${theme.fg("muted", toOneLine(path))}${lines}${theme.fg("muted", note)}`;
}

/** Below a folded card: what was changed, and that it is not applied. */
export function drawChanges({ changes }: DelegationDetails, pen: Pen): readonly string[] {
	if (changes === undefined) return [];
	const { theme } = pen;
	const { files, commands, problem, state, id } = changes;
	if (id === undefined || files.length === 0)
		return pen.wrap(theme.fg("warning", toOneLine(summarizeChanges(changes))), INDENT);
	const more = files.length > MAX_FILES ? [theme.fg("muted", `and ${files.length - MAX_FILES} more`)] : [];
	const named = [...files.slice(0, MAX_FILES).map((file) => drawFile(file, pen)), ...more];
	const last = commands.at(-1);
	const facts = [
		`${formatCount(files.length, "file")} ${renderCounts(changes)}`,
		STATES[state] ?? state,
		state === "dropped" ? "" : `/toolkit changes ${id}`,
		last ? renderCommand(last) : "",
	].filter(Boolean);
	return [
		pen.fit(`   ${named.join(theme.fg("muted", ", "))}`),
		pen.fit(`   ${theme.fg(state === "applied" ? "success" : "warning", toOneLine(facts.join(" · ")))}`),
		...(problem === undefined ? [] : pen.wrap(theme.fg("error", toOneLine(problem)), INDENT)),
	];
}

const STATES: Readonly<Record<string, string>> = {
	pending: "not applied",
	applied: "applied",
	dropped: "dropped, the project is as it was",
};

/** All of it, with the diff in color. */
export function drawDiff(changes: ResultChanges | undefined, pen: Pen): readonly string[] {
	if (changes === undefined) return [];
	const notes = noteChanges(changes).join("\n").split("\n");
	const told = notes.flatMap((line) => pen.wrap(pen.theme.fg("muted", toOneLine(line)), INDENT));
	return [...told, ...drawPatch(changes.patch ?? "", pen), ""];
}

/** A patch in the colors that pi has for its own diffs. */
export function drawPatch(patch: string, pen: Pen): readonly string[] {
	// Names of contents, which only Git needs.
	const lines = splitLines(renderPatch(patch)).filter((line) => !line.startsWith("index "));
	return lines.map((line) => pen.fit(`   ${colorLine(line, pen)}`));
}

function colorLine(line: string, { theme }: Pen): string {
	const text = toPlainText(line.replaceAll("\t", "  "));
	if (/^(\+\+\+|---|diff )/.test(line)) return theme.fg("muted", text);
	if (line.startsWith("+")) return theme.fg("toolDiffAdded", text);
	if (line.startsWith("-")) return theme.fg("toolDiffRemoved", text);
	return theme.fg("toolDiffContext", text);
}
