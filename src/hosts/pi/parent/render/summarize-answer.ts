import { formatCount, toOneLine } from "@deputize/ground";
import { toPlainText } from "./pen.ts";

/**
 * The first paragraph that says something, on one line and without the marks of Markdown. A heading only announces it,
 * and the first row of a table means nothing without the rest.
 */
export function summarizeAnswer(output: string): string {
	const blocks = listBlocks(output);
	const prose =
		blocks.find((block) => block.kind === "prose") ?? blocks.find(({ kind }) => kind === "heading");
	if (prose) return prose.text;
	const table = blocks.find((block) => block.kind === "table");
	if (table) return table.text;
	return output.trim() === "" ? "(no text)" : toOneLine(output);
}

/** More than this is not shown of an answer. */
const QUOTED_CHARS = 600;
/** A paragraph that is shorter does not stand alone: "Yes." */
const SHORT_CHARS = 60;

/** The first sentences of an answer as it was written, without what only announces them. */
export function quoteAnswer(output: string): string {
	const prose = listBlocks(output).filter(({ kind }) => kind === "prose");
	const [first, second] = prose;
	if (!first) return summarizeAnswer(output);
	const isShort = first.text.length < SHORT_CHARS && second !== undefined;
	const join = second?.isItem ? "\n" : " ";
	return (isShort ? `${first.source}${join}${second.source}` : first.source).slice(0, QUOTED_CHARS);
}

interface Block {
	readonly kind: "prose" | "heading" | "table";
	readonly text: string;
	/** As it was written. */
	readonly source: string;
	readonly isItem: boolean;
}

const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/;
const UNDERLINE = /^\s*(?:=+|-+|[-*_](?:\s*[-*_]){2,})\s*$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;
const FENCE = /^\s*(?:```|~~~)/;
/** Rows with or without bars at their ends: a cell boundary in the middle is what makes a table. */
const TABLE_ROW = /^\s*\|.*\|\s*$|\S\s*\|\s*\S.*\|/;
const TABLE_RULE = /^[\s|:+-]*-[\s|:+-]*\|[\s|:+-]*$/;

function listBlocks(output: string): readonly Block[] {
	const blocks: Block[] = [];
	let open: { readonly kind: "prose" | "table"; readonly lines: string[] } | undefined;
	const end = (): void => {
		if (open) blocks.push(toBlock(open));
		open = undefined;
	};
	let isCode = false;
	for (const line of toPlainText(output).split("\n")) {
		const kind = classifyMarkdownLine(line, open?.kind === "table");
		if (kind === "fence") isCode = !isCode;
		const isHeading = kind === "heading" && !isCode;
		if (isHeading || kind !== open?.kind || LIST_ITEM.test(line)) end();
		if (isHeading) blocks.push(toBlock({ kind: "heading", lines: [line] }));
		else if (kind === "prose" || kind === "table") {
			open ??= { kind, lines: [] };
			open.lines.push(line);
		}
	}
	end();
	return blocks.filter(({ text }) => text !== "");
}

function classifyMarkdownLine(
	line: string,
	isInTable: boolean,
): "fence" | "table" | "heading" | "gap" | "prose" {
	if (FENCE.test(line)) return "fence";
	if (isTableLine(line, isInTable)) return "table";
	if (HEADING.test(line)) return "heading";
	return line.trim() === "" || UNDERLINE.test(line) ? "gap" : "prose";
}

function toBlock(block: { readonly kind: Block["kind"]; readonly lines: readonly string[] }): Block {
	const { kind, lines } = block;
	const source = lines.map((line) => line.trim()).join(" ");
	return { kind, text: describeBlock(block), source, isItem: LIST_ITEM.test(source) };
}

function describeBlock({
	kind,
	lines,
}: {
	readonly kind: string;
	readonly lines: readonly string[];
}): string {
	return kind === "table" ? describeTable(lines) : toOneLine(lines.map(dropMarks).join(" "));
}

/** Inside a table a row may have a single bar. */
function isTableLine(line: string, isInTable: boolean): boolean {
	return TABLE_ROW.test(line) || TABLE_RULE.test(line) || (isInTable && line.includes("|"));
}

function describeTable(lines: readonly string[]): string {
	const rows = lines.filter((line) => !TABLE_RULE.test(line));
	const titles = (rows[0] ?? "")
		.split("|")
		.map((cell) => toOneLine(dropMarks(cell)))
		.filter((cell) => cell !== "");
	return `A table of ${formatCount(Math.max(0, rows.length - 1), "row")}: ${titles.join(", ")}`;
}

function dropMarks(line: string): string {
	return line.replace(/^[\s#>*\-=_|`]+/, "").replace(/\*\*|__|`/g, "");
}
