import { toOneLine } from "@deputize/ground";
import { formatDuration } from "../../../../commands/format-figures.ts";
import type { DisplayItem } from "../../../../contract/result.ts";
import { type Pen, toPlainText } from "./pen.ts";

/** Columns of the bar in front of what a child wrote. */
const BAR_COLUMNS = 5;

export type ToolCallItem = Extract<DisplayItem, { type: "toolCall" }>;

/** A call on one line: its tool, whether it failed, how long it took, and the values it was called with. */
export function drawToolCall(
	item: Pick<ToolCallItem, "name" | "args" | "isError">,
	elapsedMs: number | undefined,
	pen: Pen,
): string {
	const { theme } = pen;
	const mark = item.isError ? theme.fg("error", "✗") : theme.fg("accent", "▸");
	const failed = item.isError ? `${theme.fg("error", "failed")} ` : "";
	const time = elapsedMs === undefined ? "" : ` · ${formatDuration(elapsedMs)}`;
	const head = `   ${mark} ${theme.fg("toolTitle", toOneLine(item.name))} ${failed}`;
	// The time is short and says more than the end of a long argument does.
	const room = Math.max(1, pen.width - pen.visibleWidth(head) - pen.visibleWidth(time));
	const values = pen.cut(theme.fg("muted", toOneLine(formatArguments(item.args))), room);
	return pen.fit(`${head}${values}${theme.fg("muted", time)}`);
}

/** What a child wrote, wrapped, behind a bar. */
export function drawText(text: string, pen: Pen): readonly string[] {
	const bar = `   ${pen.theme.fg("borderMuted", "│")} `;
	return toPlainText(text)
		.split("\n")
		.filter((line) => line.trim() !== "")
		.flatMap((line) => pen.wrap(line, BAR_COLUMNS))
		.map((line) => pen.fit(`${bar}${pen.theme.fg("toolOutput", line.slice(BAR_COLUMNS))}`));
}

const SHOWN_VALUE_CHARS = 80;

/** The values of a call's arguments, which say more in little room than their names do. */
export function formatArguments(args: Readonly<Record<string, unknown>>): string {
	return Object.values(args)
		.filter((value) => value !== undefined && value !== null && value !== "")
		.map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
		.map((text) => (text.length > SHOWN_VALUE_CHARS ? `${text.slice(0, SHOWN_VALUE_CHARS)}…` : text))
		.join(" ");
}
