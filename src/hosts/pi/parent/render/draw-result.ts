import { formatCount, toOneLine } from "@deputize/ground";
import type { Markdown } from "@earendil-works/pi-tui";
import { formatDuration } from "../../../../commands/format-figures.ts";
import type { DelegationDetails, DelegationResult, SingleResult } from "../../../../contract/result.ts";
import { describeFigures } from "./describe-figures.ts";
import { drawChanges, drawDiff } from "./draw-changes.ts";
import { drawToolCall } from "./draw-step.ts";
import { type Fact, fitFacts } from "./fit-facts.ts";
import { type Pen, toPlainText } from "./pen.ts";
import { summarizeAnswer } from "./summarize-answer.ts";

const INDENT = 3;

const QUOTED_LINES = 3;

/** A finished run in a few lines: what came of it in words, and what it took. */
export function drawCollapsed(
	details: DelegationDetails,
	isError: boolean,
	{ hint, quote }: { readonly hint: string; readonly quote: Pick<Markdown, "render"> },
	pen: Pen,
): string[] {
	return [
		...drawQuote(details, isError, quote, pen),
		...drawRefusals(details, pen),
		...drawChanges(details, pen),
		drawFigures(details, isError, hint, pen),
	];
}

/** The first sentences of the answer, or the whole reason why there is none, as far as it is for a person. */
function drawQuote(
	details: DelegationDetails,
	isError: boolean,
	quote: Pick<Markdown, "render">,
	pen: Pen,
): readonly string[] {
	const columns = Math.max(1, pen.width - INDENT);
	const lines = isError
		? pen.wrap(drawSummary(details, isError, pen), INDENT)
		: quote.render(columns).map((line) => " ".repeat(INDENT) + line);
	const shown = lines.slice(0, QUOTED_LINES).map(pen.fit);
	if (lines.length <= QUOTED_LINES) return shown;
	const last = pen.cut(shown[QUOTED_LINES - 1]?.trimEnd() ?? "", pen.width - 2);
	return [...shown.slice(0, -1), `${last}${pen.theme.fg("muted", " …")}`];
}

/** A run that was let go: until it has ended, where to look; then what came of it, which a message says in full. */
export function drawDetached(end: DelegationResult | undefined, pen: Pen): readonly string[] {
	const words = end ? drawSummary(end.details, end.isError, pen) : pen.theme.fg("muted", DETACHED);
	return [pen.fit(`   ${words}`)];
}

/** What came of a run, in the color of the text around it: this is what the person waited for. */
export function drawSummary(details: DelegationDetails, isError: boolean, pen: Pen): string {
	if (details.detached) return pen.theme.fg("muted", DETACHED);
	// The first line is for a person; what a provider sent is below it.
	const [reason = NO_REASON] = details.error?.message.split("\n") ?? [];
	return isError
		? pen.theme.fg(isCancelled(details) ? "muted" : "error", toOneLine(reason))
		: pen.theme.fg("text", summarizeAnswer(details.results[0]?.output ?? ""));
}

/** An agent that lacks tools, or whose calls were refused, may claim what it could not do. */
function drawRefusals({ results }: DelegationDetails, pen: Pen): readonly string[] {
	return listRefusals(results[0] ?? {}).map((text) => pen.fit(`   ${pen.theme.fg("warning", text)}`));
}

function listRefusals({
	notGranted,
	refused,
}: Pick<SingleResult, "notGranted" | "refused">): readonly string[] {
	const [first = "", ...more] = (refused ?? []).map(toOneLine);
	return [
		...(notGranted ? [`not granted: ${notGranted.join(", ")}`] : []),
		...(refused ? [`refused: ${first}${more.length > 0 ? ` · and ${more.length} more` : ""}`] : []),
	];
}

/** Everything of a run that ended: its calls, the whole answer, the error and where things are. */
export function drawFinished(
	details: DelegationDetails,
	isError: boolean,
	answer: Markdown,
	pen: Pen,
): readonly string[] {
	const { above, below } = drawAround(details, isError, pen);
	const lines = answer.render(Math.max(1, pen.width - INDENT));
	return [...above, ...lines.map((line) => pen.fit(" ".repeat(INDENT) + line)), ...below];
}

/** Everything around the answer of a run: tool calls above it, the error and where things are below. */
export function drawAround(
	details: DelegationDetails,
	isError: boolean,
	pen: Pen,
): { readonly above: readonly string[]; readonly below: readonly string[] } {
	const { theme } = pen;
	const single = details.results[0];
	const calls = (single?.displayItems ?? []).flatMap((item) =>
		item.type === "toolCall" ? [drawToolCall(item, item.durationMs, pen)] : [],
	);
	const error = isError ? pen.wrap(theme.fg("error", toPlainText(describeError(details))), INDENT) : [];
	const facts = [
		listFigures(details, isError)
			.map(({ text }) => text)
			.join(" · "),
		...(single ? [describeOrigin(single)] : []),
		...(single?.notGranted ? [`not granted: ${single.notGranted.join(", ")}`] : []),
		...(single?.refused ?? []).map((call) => `refused: ${call}`),
		...(details.sessionId ? [`session: ${details.sessionId}`] : []),
		// Without a label: the path then fits beside its indent in a hundred columns, and can be copied.
		...(single?.sessionFile ? [single.sessionFile] : []),
	].flatMap((line) => pen.wrap(theme.fg("muted", toOneLine(line)), INDENT));
	const gap = (lines: readonly string[]): readonly string[] => (lines.length > 0 ? [...lines, ""] : []);
	return { above: gap(calls), below: ["", ...gap(error), ...drawDiff(details.changes, pen), ...facts] };
}

function describeOrigin({ agentSource, confinement, model, thinking }: SingleResult): string {
	return [
		`agent: ${agentSource}`,
		...(model ? [`model: ${model}`] : []),
		...(thinking ? [`thinking: ${thinking}`] : []),
		`confinement: ${confinement}`,
	].join(" · ");
}

/** As many figures as fit beside the key that shows more. */
function drawFigures(details: DelegationDetails, isError: boolean, hint: string, pen: Pen): string {
	const hintColumns = hint === "" ? 0 : pen.visibleWidth(hint) + 2;
	const figures = fitFacts(listFigures(details, isError), pen.width - INDENT - hintColumns, pen);
	return pen.fit(`   ${pen.theme.fg("muted", figures)}${hint === "" ? "" : `  ${hint}`}`);
}

function listFigures(details: DelegationDetails, isError: boolean): readonly Fact[] {
	const single = details.results[0];
	if (details.detached) return [{ text: "running in the background", weight: 1 }];
	const failed = isCancelled(details) ? "cancelled" : "failed";
	const state = isError ? failed : "done";
	if (!single) return [{ text: state, weight: 1 }];
	return describeFigures({
		state,
		elapsed: formatDuration(single.durationMs),
		turn: single.usage.turns > 0 ? formatCount(single.usage.turns, "turn") : "",
		usage: single.usage,
		// Results of earlier versions, in sessions that are opened again, have no count.
		toolCalls: single.toolCalls ?? 0,
		model: single.model,
		thinking: single.thinking,
	});
}

const DETACHED = "In the background: /toolkit watch shows it, and its answer comes as a message.";

const CANCELLED_EXIT_CODE = 130;

function isCancelled({ error, results }: DelegationDetails): boolean {
	return error?.cause?.kind === "cancelled" || results[0]?.exitCode === CANCELLED_EXIT_CODE;
}

const NO_REASON = "The run failed without saying why.";

function describeError({ error }: DelegationDetails): string {
	return error ? `${error.code}: ${error.message}` : NO_REASON;
}
