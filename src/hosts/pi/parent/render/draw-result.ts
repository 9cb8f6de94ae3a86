import { formatDuration, formatUsage } from "../../../../commands/format-figures.ts";
import type { DelegationDetails, DisplayItem, SingleResult } from "../../../../contract/result.ts";
import { toOneLine } from "../../../../text/to-one-line.ts";
import { formatArguments } from "./format-arguments.ts";
import { type Pen, toPlainText } from "./pen.ts";

const SHORT_SESSION_CHARS = 8;

/** A finished run in two lines: what came of it in words, and what it took. */
export function drawCollapsed(
	details: DelegationDetails,
	isError: boolean,
	hint: string,
	pen: Pen,
): string[] {
	const summary = isError
		? pen.theme.fg(isCancelled(details) ? "muted" : "error", toOneLine(details.error?.message ?? NO_REASON))
		: pen.theme.fg("toolOutput", summarize(details.results[0]?.output ?? ""));
	return [
		pen.fit(`   ${summary}`),
		...drawNotGranted(details, pen),
		drawFigures(details, isError, hint, pen),
	];
}

/** An agent without the tools it was written for may claim what it could not do. */
function drawNotGranted({ results }: DelegationDetails, pen: Pen): readonly string[] {
	const notGranted = results[0]?.notGranted;
	return notGranted
		? [pen.fit(`   ${pen.theme.fg("warning", `not granted: ${notGranted.join(", ")}`)}`)]
		: [];
}

/** Everything around the answer of a run: tool calls above it, the error and where things are below. */
export function drawAround(
	details: DelegationDetails,
	isError: boolean,
	pen: Pen,
): { readonly above: readonly string[]; readonly below: readonly string[] } {
	const { theme } = pen;
	const single = details.results[0];
	const calls = (single?.displayItems ?? []).flatMap((item) => drawToolCall(item, pen));
	const error = isError ? pen.wrap(theme.fg("error", toPlainText(describeError(details))), 3) : [];
	const facts = [
		describeFigures(details, isError),
		...(single ? [describeOrigin(single)] : []),
		...(single?.notGranted ? [`not granted: ${single.notGranted.join(", ")}`] : []),
		...(details.sessionId ? [`session: ${details.sessionId}`] : []),
		// Without a label: the path then fits beside its indent in a hundred columns, and can be copied.
		...(single?.sessionFile ? [single.sessionFile] : []),
	].flatMap((line) => pen.wrap(theme.fg("muted", toOneLine(line)), 3));
	const gap = (lines: readonly string[]): readonly string[] => (lines.length > 0 ? [...lines, ""] : []);
	return { above: gap(calls), below: ["", ...gap(error), ...facts] };
}

function describeOrigin({ agentSource, confinement, model }: SingleResult): string {
	return [`agent: ${agentSource}`, ...(model ? [`model: ${model}`] : []), `confinement: ${confinement}`].join(
		" · ",
	);
}

/** The first line that says something, without the marks of Markdown. A heading only announces it. */
export function summarize(output: string): string {
	const lines = toPlainText(output)
		.split("\n")
		.filter((line) => !TABLE_ROW.test(line))
		.map((line) => ({ isHeading: HEADING.test(line), text: toOneLine(dropMarks(line)) }))
		.filter(({ text }) => text !== "");
	const best = lines.find(({ isHeading }) => !isHeading) ?? lines[0];
	return best?.text ?? (output.trim() === "" ? "(no text)" : "(a table)");
}

const TABLE_ROW = /^\s*\|.*\|\s*$/;

const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/;

function dropMarks(line: string): string {
	return line.replace(/^[\s#>*\-=_|`]+/, "").replace(/\*\*|__|`/g, "");
}

function drawToolCall(item: DisplayItem, pen: Pen): readonly string[] {
	if (item.type !== "toolCall") return [];
	const { theme } = pen;
	const values = theme.fg("muted", toOneLine(formatArguments(item.args)));
	const mark = item.isError ? theme.fg("error", "✗") : theme.fg("accent", "▸");
	const failed = item.isError ? `${theme.fg("error", "failed")} ` : "";
	return [pen.fit(`   ${mark} ${theme.fg("toolTitle", toOneLine(item.name))} ${failed}${values}`)];
}

/** As much as fits: the whole session id and the key that shows more, which matters more than all of the id. */
function drawFigures(details: DelegationDetails, isError: boolean, hint: string, pen: Pen): string {
	const figures = describeFigures(details, isError);
	const id = details.sessionId;
	const short = id?.slice(0, SHORT_SESSION_CHARS);
	const sessions = id ? [`session ${id}`, `session ${short}`, short] : [undefined];
	const lines = sessions.map((session) =>
		pen.theme.fg("muted", `   ${[figures, session].filter(Boolean).join(" · ")}`),
	);
	const candidates = [...(hint ? lines.map((line) => `${line}  ${hint}`) : []), ...lines];
	return candidates.find((line) => pen.visibleWidth(line) <= pen.width) ?? pen.fit(candidates.at(-1) ?? "");
}

function describeFigures(details: DelegationDetails, isError: boolean): string {
	const single = details.results[0];
	const failed = isCancelled(details) ? "cancelled" : "failed";
	const status = isError ? failed : "done";
	return single ? [status, ...describeRun(single)].join(" · ") : status;
}

function describeRun({ usage, durationMs }: SingleResult): readonly string[] {
	return [...formatUsage(usage), formatDuration(durationMs)];
}

const CANCELLED_EXIT_CODE = 130;

function isCancelled({ error, results }: DelegationDetails): boolean {
	return error?.cause?.kind === "cancelled" || results[0]?.exitCode === CANCELLED_EXIT_CODE;
}

const NO_REASON = "The run failed without saying why.";

function describeError({ error }: DelegationDetails): string {
	return error ? `${error.code}: ${error.message}` : NO_REASON;
}
