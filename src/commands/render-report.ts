import { stripControlSequences } from "../text/strip-control-sequences.ts";
import type { Report, ReportLine, ReportStatus } from "./report.ts";

const MARKS: Readonly<Record<ReportStatus, string>> = { ok: "✓", warn: "!", fail: "✗", info: "·" };

/**
 * A report as lines of at most `width` characters. Paints nothing: colors are the host's. With a limit it
 * ends with a line that says how much was left out.
 */
export function renderReport(
	report: Report,
	options: { readonly width: number; readonly maxCharacters?: number },
): readonly string[] {
	const lines = renderReportLines(report, options.width).map(stripControlSequences);
	return options.maxCharacters === undefined ? lines : keepFirst(lines, options.maxCharacters);
}

function keepFirst(lines: readonly string[], maxCharacters: number): readonly string[] {
	let room = maxCharacters;
	const cut = lines.findIndex((line) => {
		room -= line.length + 1;
		return room < 0;
	});
	return cut === -1 ? lines : [...lines.slice(0, cut), `… ${lines.length - cut} more lines`];
}

function renderReportLines(report: Report, width: number): readonly string[] {
	return [
		report.title,
		...report.sections.flatMap((section) => [
			"",
			section.heading,
			...section.lines.flatMap((line) => renderReportLine(line, width)),
		]),
	];
}

function renderReportLine(line: ReportLine, width: number): readonly string[] {
	const mark = line.status ? `${MARKS[line.status]} ` : "";
	const indent = " ".repeat(2 + mark.length);
	const text = wrap(line.text, Math.max(20, width - indent.length));
	const remedy = line.remedy ? wrap(`→ ${line.remedy}`, Math.max(20, width - indent.length)) : [];
	return [...text, ...remedy].map((part, index) => (index === 0 ? `  ${mark}${part}` : `${indent}${part}`));
}

/** Breaks at spaces; a word longer than the line is cut, so that no line is ever too wide. */
function wrap(text: string, width: number): readonly string[] {
	return text.split("\n").flatMap((line) => {
		const lines: string[] = [];
		let rest = line;
		while (rest.length > width) {
			const space = rest.lastIndexOf(" ", width);
			const at = space > width / 2 ? space : width;
			lines.push(rest.slice(0, at));
			rest = rest.slice(at).trimStart();
		}
		return [...lines, rest];
	});
}
