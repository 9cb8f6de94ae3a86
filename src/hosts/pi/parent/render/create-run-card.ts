import type { Theme } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import type { DelegationDetails } from "../../../../contract/result.ts";
import type { PiLibrary } from "../pi-library.ts";
import { drawCall } from "./draw-call.ts";
import { drawCollapsed, drawFinished } from "./draw-result.ts";
import { createPen, toPlainText } from "./pen.ts";
import { shortenPaths } from "./shorten-paths.ts";
import { quoteAnswer } from "./summarize-answer.ts";

/** A run that ended, as it is kept in a session outside of a tool call. */
export interface FinishedRun {
	readonly agent: string;
	readonly task: string;
	readonly isError: boolean;
	readonly details: DelegationDetails;
}

/** Kept in a file that may be of another version, or of somebody else. */
export function parseFinishedRun(data: unknown): FinishedRun | undefined {
	const { agent, task, details } = (data ?? {}) as Partial<FinishedRun>;
	const isOurs = typeof agent === "string" && typeof task === "string" && Array.isArray(details?.results);
	return isOurs ? (data as FinishedRun) : undefined;
}

/** Something that a person should know although nobody asked. */
export function createReportCard(
	text: string,
	{ library, theme }: { readonly library: PiLibrary; readonly theme: Theme },
): Component {
	const [first = "", ...rest] = toPlainText(text).split("\n");
	return {
		render(width) {
			const pen = createPen(library, theme, width);
			const head = pen.wrap(theme.fg("text", first), INDENT);
			return [
				"",
				...head.map((line, index) =>
					index === 0 ? ` ${theme.fg("warning", "!")} ${line.slice(INDENT)}` : line,
				),
				...rest.flatMap((line) => pen.wrap(theme.fg("muted", line), INDENT)),
			].map(pen.fit);
		},
		invalidate: () => undefined,
	};
}

const INDENT = 3;

/** The card of a run that no tool call of the model belongs to. */
export function createRunCard(
	run: FinishedRun,
	options: {
		readonly library: PiLibrary;
		readonly theme: Theme;
		readonly expanded: boolean;
		readonly cwd: string;
		readonly home: string;
	},
): Component {
	const { library, theme, expanded } = options;
	const { agent, task, isError } = run;
	const details = shortenPaths(run.details, options);
	const output = details.results[0]?.output ?? "";
	const answer = new library.Markdown(
		expanded ? output : quoteAnswer(output),
		0,
		0,
		library.getMarkdownTheme(),
	);
	return {
		render(width) {
			const pen = createPen(library, theme, width);
			const hint = library.keyHint("app.tools.expand", "to expand");
			return [
				"",
				...drawCall({ agent, task, state: isError ? "failure" : "success" }, expanded, pen),
				...(expanded
					? drawFinished(details, isError, answer, pen)
					: drawCollapsed(details, isError, { hint, quote: answer }, pen)),
			];
		},
		invalidate: () => undefined,
	};
}
