import { toOneLine } from "@deputize/ground";
import type { Report, ReportLine, ReportStatus } from "../../../../commands/report.ts";
import { type Pen, toPlainText } from "../render/pen.ts";

const MARKS = {
	ok: { glyph: "✓", color: "success" },
	warn: { glyph: "!", color: "warning" },
	fail: { glyph: "✗", color: "error" },
	info: { glyph: "·", color: "muted" },
} as const satisfies Readonly<Record<ReportStatus, object>>;

/** The sections of a report in the colors of the theme, wrapped to the width there is. */
export function drawReport(report: Report, pen: Pen): readonly string[] {
	const { theme } = pen;
	return report.sections.flatMap((section, index) => [
		...(index > 0 ? [""] : []),
		pen.fit(` ${theme.fg("mdHeading", theme.bold(toOneLine(section.heading)))}`),
		...section.lines.flatMap((line) => drawLine(line, pen)),
	]);
}

export function drawLine(line: ReportLine, pen: Pen): readonly string[] {
	const { theme } = pen;
	const mark = line.status ? MARKS[line.status] : undefined;
	const indent = mark ? 5 : 3;
	const [first = "", ...rest] = toPlainText(line.text).split("\n");
	const head = pen.wrap(theme.fg("text", first), indent);
	const tail = rest.flatMap((text) => pen.wrap(theme.fg("muted", text), indent));
	const remedy = line.remedy ? pen.wrap(theme.fg("accent", `→ ${toPlainText(line.remedy)}`), indent) : [];
	const marked = head.map((text, index) =>
		mark && index === 0 ? `   ${theme.fg(mark.color, mark.glyph)} ${text.slice(indent)}` : text,
	);
	return [...marked, ...tail, ...remedy].map(pen.fit);
}
