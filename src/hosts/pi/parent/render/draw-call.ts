import { toOneLine } from "../../../../text/to-one-line.ts";
import { type Pen, toPlainText } from "./pen.ts";

export type CallState = "pending" | "waiting" | "running" | "success" | "failure";

const MARKS = {
	pending: { glyph: "○", color: "muted" },
	waiting: { glyph: "○", color: "muted" },
	running: { glyph: "●", color: "accent" },
	success: { glyph: "✓", color: "success" },
	failure: { glyph: "✗", color: "error" },
} as const;

/** The line every call has: its state, who works, on what. Expanded it shows the whole task. */
export function drawCall(
	call: { readonly agent: string; readonly task: string; readonly state: CallState },
	expanded: boolean,
	pen: Pen,
): readonly string[] {
	const { theme } = pen;
	const { glyph, color } = MARKS[call.state];
	const agent = toOneLine(call.agent) || "…";
	const head = ` ${theme.fg(color, glyph)} ${theme.fg("toolTitle", theme.bold(agent))}`;
	if (!expanded) return [pen.fit(`${head}  ${theme.fg("muted", toOneLine(call.task))}`)];
	return [pen.fit(head), ...pen.wrap(theme.fg("muted", toPlainText(call.task)), 3)];
}
