import { toOneLine } from "@deputize/ground";
import { type Pen, toPlainText } from "./pen.ts";

/**
 * `lost`: the pi that ran it is gone, and nobody noted an end. `handed-on`: its end is somewhere below, in a message of
 * its own.
 */
export type CallState = "pending" | "waiting" | "running" | "success" | "failure" | "lost" | "handed-on";

const MARKS = {
	pending: { glyph: "○", color: "muted" },
	waiting: { glyph: "○", color: "muted" },
	running: { glyph: "●", color: "accent" },
	success: { glyph: "✓", color: "success" },
	failure: { glyph: "✗", color: "error" },
	lost: { glyph: "!", color: "warning" },
	"handed-on": { glyph: "↓", color: "muted" },
} as const;

/** The line every call has: its state, who works, on what. Expanded it shows the whole task. */
export function drawCall(
	call: {
		readonly agent: string;
		readonly task: string;
		readonly state: CallState;
		/** What became of it so far, in so many columns, where this line is all there is room for. */
		readonly outcome?: ((columns: number) => string) | undefined;
	},
	expanded: boolean,
	pen: Pen,
): readonly string[] {
	const { theme } = pen;
	const { glyph, color } = MARKS[call.state];
	const agent = toOneLine(call.agent) || "…";
	const head = ` ${theme.fg(color, glyph)} ${theme.fg("toolTitle", theme.bold(agent))}`;
	const task = toOneLine(call.task);
	if (call.outcome) return [pen.fit(`${head}  ${drawTaskAndOutcome(task, call.outcome, head, pen)}`)];
	if (!expanded) return [pen.fit(`${head}  ${theme.fg("muted", task)}`)];
	return [pen.fit(head), ...pen.wrap(theme.fg("muted", toPlainText(call.task)), 3)];
}

const GAP = 2;
/** Of the line behind the agent's name, where task and outcome do not fit together. */
const TASK_SHARE = 0.4;
/** Fewer columns of a task tell nothing. */
const FEWEST_TASK_COLUMNS = 8;

/** In a crowd the beginning of its task is what tells one from the others. */
function drawTaskAndOutcome(
	task: string,
	describe: (columns: number) => string,
	head: string,
	pen: Pen,
): string {
	const room = Math.max(1, pen.width - pen.visibleWidth(head) - GAP);
	const whole = pen.visibleWidth(task);
	const wanted = Math.min(whole, Math.floor(room * TASK_SHARE));
	if (whole === 0 || wanted < Math.min(whole, FEWEST_TASK_COLUMNS)) return describe(room);
	const outcome = describe(room - wanted - GAP);
	const columns = Math.max(wanted, room - pen.visibleWidth(outcome) - GAP);
	return `${pen.cut(pen.theme.fg("muted", task), columns)}  ${outcome}`;
}
