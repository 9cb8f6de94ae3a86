import { measureCells } from "@deputize/ground";

interface MarkdownOptions {
	/** The address of what a path, with or without a line, leads to; undefined for anything that is not a file here. */
	readonly findAddress: (place: string) => string | undefined;
}

const bold = (text: string): string => `\x1b[1m${text}\x1b[22m`;
const dim = (text: string): string => `\x1b[2m${text}\x1b[22m`;
const cyan = (text: string): string => `\x1b[36m${text}\x1b[39m`;
const link = (text: string, address: string): string => `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^(\s*)[-*+]\s+/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Markdown of an answer for a terminal: headings and emphasis in bold, code in color, tables in columns, places as links. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
	const lines = text.split("\n");
	const shown: string[] = [];
	let isCode = false;
	for (let at = 0; at < lines.length; at += 1) {
		const line = lines[at] ?? "";
		if (FENCE.test(line)) {
			isCode = !isCode;
			shown.push(dim(line.trim()));
		} else if (isCode) shown.push(`  ${line}`);
		else if (isTableHead(line, lines[at + 1])) {
			const end = findTableEnd(lines, at);
			shown.push(...layOutTable(lines.slice(at, end), options));
			at = end - 1;
		} else shown.push(renderMarkdownLine(line, options));
	}
	return shown.join("\n");
}

function renderMarkdownLine(line: string, options: MarkdownOptions): string {
	const heading = HEADING.exec(line)?.[1];
	if (heading !== undefined) return bold(styleInline(heading, options));
	return styleInline(line.replace(BULLET, "$1• "), options);
}

/** Code first: what is inside of it means nothing else. */
function styleInline(line: string, { findAddress }: MarkdownOptions): string {
	return line
		.split(/(`[^`]+`)/)
		.map((part) => {
			if (!/^`[^`]+`$/.test(part)) return renderEmphasis(part);
			const code = part.slice(1, -1);
			const address = findAddress(code);
			return address === undefined ? cyan(code) : link(cyan(code), address);
		})
		.join("");
}

function renderEmphasis(text: string): string {
	return text
		.replace(/\*\*([^*]+)\*\*/g, (_, inner: string) => bold(inner))
		.replace(/\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g, (_, words: string, address: string) =>
			link(words, address),
		);
}

function isTableHead(line: string, next = ""): boolean {
	return line.includes("|") && next.includes("-") && next.includes("|") && TABLE_RULE.test(next);
}

function findTableEnd(lines: readonly string[], start: number): number {
	const end = lines.findIndex((line, at) => at > start && !line.includes("|"));
	return end < 0 ? lines.length : end;
}

function layOutTable(lines: readonly string[], options: MarkdownOptions): readonly string[] {
	const rows = lines.filter((_, at) => at !== 1).map(splitCells);
	const columns = Math.max(...rows.map((cells) => cells.length));
	const widths = Array.from({ length: columns }, (_, column) =>
		Math.max(...rows.map((cells) => measureCells(stripMarks(cells[column] ?? "")))),
	);
	const shown = rows.map((cells) =>
		widths
			.map((width, column) => {
				const cell = cells[column] ?? "";
				return styleInline(cell, options) + " ".repeat(width - measureCells(stripMarks(cell)));
			})
			.join("  ")
			.trimEnd(),
	);
	const rule = dim(widths.map((width) => "─".repeat(width)).join("  "));
	return [bold(shown[0] ?? ""), rule, ...shown.slice(1)];
}

function splitCells(line: string): readonly string[] {
	return line
		.trim()
		.replace(/^\||\|$/g, "")
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** What is left of a cell when its marks are gone. */
function stripMarks(cell: string): string {
	return cell
		.replace(/`([^`]+)`/g, "$1")
		.replace(/\*\*([^*]+)\*\*/g, "$1")
		.replace(/\[([^\]]+)\]\(https?:\/\/[^\s)]+\)/g, "$1");
}
