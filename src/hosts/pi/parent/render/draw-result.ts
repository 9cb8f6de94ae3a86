import type { DelegationDetails, DisplayItem, SingleResult } from "../../../../contract/result.ts";
import { formatArguments, formatCost, formatDuration, formatTokens, formatTurns } from "./format-figures.ts";
import { type Pen, toOneLine, toPlainText } from "./pen.ts";

const SHORT_SESSION_CHARS = 8;

/** A finished run in two lines: what came of it, and what it took. */
export function drawCollapsed(
	details: DelegationDetails,
	isError: boolean,
	hint: string,
	pen: Pen,
): string[] {
	const summary = isError
		? pen.theme.fg("error", toOneLine(describeError(details)))
		: pen.theme.fg("toolOutput", summarize(details.results[0]?.output ?? ""));
	return [pen.fit(`   ${summary}`), drawFigures(details, isError, hint, pen)];
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
		...(single ? [`agent: ${single.agentSource} · confinement: ${single.confinement}`] : []),
		...(details.sessionId ? [`session: ${details.sessionId}`] : []),
		...(single?.sessionFile ? [`file: ${single.sessionFile}`] : []),
	].flatMap((line) => pen.wrap(theme.fg("muted", toOneLine(line)), 3));
	const gap = (lines: readonly string[]): readonly string[] => (lines.length > 0 ? [...lines, ""] : []);
	return { above: gap(calls), below: ["", ...gap(error), ...facts] };
}

/** The first line that says something, without the marks of Markdown. A heading only announces it. */
export function summarize(output: string): string {
	const lines = toPlainText(output)
		.split("\n")
		.map((line) => ({ isHeading: HEADING.test(line), text: toOneLine(dropMarks(line)) }))
		.filter(({ text }) => text !== "");
	return (lines.find(({ isHeading }) => !isHeading) ?? lines[0])?.text ?? "(no text)";
}

const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/;

function dropMarks(line: string): string {
	return line.replace(/^[\s#>*\-=_|`]+/, "").replace(/\*\*|__|`/g, "");
}

function drawToolCall(item: DisplayItem, pen: Pen): readonly string[] {
	if (item.type !== "toolCall") return [];
	const { theme } = pen;
	const values = theme.fg("muted", toOneLine(formatArguments(item.args)));
	return [pen.fit(`   ${theme.fg("accent", "▸")} ${theme.fg("toolTitle", toOneLine(item.name))} ${values}`)];
}

/** As much as fits: the whole session id and the key that shows more, else less of both. */
function drawFigures(details: DelegationDetails, isError: boolean, hint: string, pen: Pen): string {
	const figures = describeFigures(details, isError);
	const id = details.sessionId;
	const short = id?.slice(0, SHORT_SESSION_CHARS);
	const sessions = id ? [`session ${id}`, `session ${short}`, short] : [undefined];
	const candidates = sessions.flatMap((session) => {
		const line = pen.theme.fg("muted", `   ${[figures, session].filter(Boolean).join(" · ")}`);
		return hint ? [`${line}  ${hint}`, line] : [line];
	});
	return candidates.find((line) => pen.visibleWidth(line) <= pen.width) ?? pen.fit(candidates.at(-1) ?? "");
}

function describeFigures(details: DelegationDetails, isError: boolean): string {
	const single = details.results[0];
	const status = isError ? "failed" : "done";
	return single ? [status, ...describeRun(single)].join(" · ") : status;
}

function describeRun({ usage, durationMs }: SingleResult): readonly string[] {
	return [formatTurns(usage.turns), formatTokens(usage), formatCost(usage), formatDuration(durationMs)];
}

function describeError({ error }: DelegationDetails): string {
	return error ? `${error.code}: ${error.message}` : "The run failed without saying why.";
}
