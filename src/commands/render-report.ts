import { measureCells, stripControlSequences } from "@deputize/ground";
import type { Report, ReportLine, ReportStatus } from "./report.ts";

const MARKS: Readonly<Record<ReportStatus, string>> = { ok: "✓", warn: "!", fail: "✗", info: "·" };

/**
 * A report as lines of at most `width` cells; only a word that is longer, such as a path, makes one wider. Paints nothing: colors
 * are the host's. With a limit it ends with a line that says how much was left out.
 */
export function renderReport(
	report: Report,
	options: { readonly width: number; readonly maxCharacters?: number },
): readonly string[] {
	const sections = report.sections.flatMap(({ heading, lines }) => [
		"",
		heading,
		...lines.flatMap((line) => renderReportLine(line, options.width)),
	]);
	const lines = [report.title, ...sections].map(stripControlSequences);
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

function renderReportLine(line: ReportLine, width: number): readonly string[] {
	const mark = line.status ? `${MARKS[line.status]} ` : "";
	const indent = " ".repeat(2 + mark.length);
	const text = breakAtSpaces(line.text, Math.max(20, width - indent.length));
	const remedy = line.remedy ? breakAtSpaces(`→ ${line.remedy}`, Math.max(20, width - indent.length)) : [];
	return [...text, ...remedy].map((part, index) => (index === 0 ? `  ${mark}${part}` : `${indent}${part}`));
}

/** Breaks at spaces only: a path that was cut in two can be neither copied nor searched for. */
function breakAtSpaces(text: string, width: number): readonly string[] {
	return text.split("\n").flatMap((line) => {
		const lines: string[] = [];
		const [indent] = /^[\s|]*/.exec(line) ?? [""];
		let room = 0;
		for (const word of line.split(/(?<=\S) /)) {
			const cells = measureCells(word) + 1;
			if (lines.length > 0 && cells <= room) {
				lines.push(`${lines.pop()} ${word}`);
				room -= cells;
				continue;
			}
			lines.push(lines.length === 0 ? word : `${indent}${word.trimStart()}`);
			room = width - measureCells(lines.at(-1) ?? "");
		}
		return lines;
	});
}
