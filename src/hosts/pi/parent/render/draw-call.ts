import { toOneLine } from "@deputize/ground";
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
	call: {
		readonly agent: string;
		readonly task: string;
		readonly state: CallState;
		/** What to say in place of the task, where this line is all there is room for. */
		readonly instead?: ((columns: number) => string) | undefined;
	},
	expanded: boolean,
	pen: Pen,
): readonly string[] {
	const { theme } = pen;
	const { glyph, color } = MARKS[call.state];
	const agent = toOneLine(call.agent) || "…";
	const head = ` ${theme.fg(color, glyph)} ${theme.fg("toolTitle", theme.bold(agent))}`;
	if (call.instead) {
		const columns = Math.max(1, pen.width - pen.visibleWidth(head) - 2);
		return [pen.fit(`${head}  ${call.instead(columns)}`)];
	}
	if (!expanded) return [pen.fit(`${head}  ${theme.fg("muted", toOneLine(call.task))}`)];
	return [pen.fit(head), ...pen.wrap(theme.fg("muted", toPlainText(call.task)), 3)];
}
