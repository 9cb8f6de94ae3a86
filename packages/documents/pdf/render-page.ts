import { renderFence } from "../html/code-blocks.ts";
import { escapeLineStarts } from "../html/escape-markdown.ts";
import { renderGrid, toCellText } from "../html/render-table.ts";
import { findTable, startsWithBullet } from "./find-table.ts";
import { groupLines, type PdfLine } from "./group-lines.ts";
import type { HeadingLevels } from "./heading-levels.ts";
import type { PdfLink, PdfPage } from "./pdf-page.ts";
import { renderSegment } from "./render-segment.ts";
import { takeCode } from "./take-code.ts";

const MAX_HEADING_CHARS = 200;
const BULLET = /^[•●◦▪■‣–—·](?:\s+|(?=\p{L}))/u;
const NUMBER = /^\(?\d{1,3}[.)]\s+\S/;
/** A distance between baselines, in letter heights, that ends a paragraph. */
const PARAGRAPH_GAP = 1.75;
/** Closer for items: what follows a numbered heading is indented like the rest of an item. */
const ITEM_GAP = 1.5;
/** An indented first line begins a paragraph. */
const INDENT = 1;
const INDENT_PER_LEVEL = 0.8;

interface Block {
	readonly kind: "heading" | "item" | "text" | "table" | "code";
	text: string;
	/** Of the last line, to see whether the next one continues. */
	line: PdfLine;
	/** Where the lines after the first begin, if there are any. */
	left?: number;
}

/** One page: tables, headings, list items and paragraphs. */
export function renderPage(page: PdfPage, levels: HeadingLevels): string {
	const lines = groupLines(page);
	const blocks: Block[] = [];
	for (let index = 0; index < lines.length; ) {
		const rest = lines.slice(index);
		const line = rest[0];
		if (!line) break;
		const code = takeCode(rest);
		const table = code ? undefined : findTable(rest);
		if (code) {
			blocks.push({ kind: "code", text: renderFence(code.text, ""), line: code.last });
			index += code.lines;
		} else if (table) {
			const grid = table.map((row) =>
				row.map((cell) => (cell ? toCellText(renderSegment(cell, page.links, true)) : "")),
			);
			blocks.push({ kind: "table", text: renderGrid(grid), line: rest[table.length - 1] ?? line });
			index += table.length;
		} else {
			addTextLine(blocks, line, page.links, levels);
			index += 1;
		}
	}
	return joinPageBlocks(blocks);
}

function addTextLine(blocks: Block[], line: PdfLine, links: readonly PdfLink[], levels: HeadingLevels): void {
	const level = levels(line.size);
	const text = line.segments.map((segment) => renderSegment(segment, links, level > 0)).join(" ");
	const last = blocks[blocks.length - 1];
	if (level > 0 && text.length <= MAX_HEADING_CHARS) addHeading(blocks, line, level, text);
	else if (startsWithBullet(line) || BULLET.test(text) || NUMBER.test(text)) addItem(blocks, line, text);
	else if (last && continuesParagraph(last, line)) {
		last.text = joinText(last.text, text);
		last.left ??= line.left;
		last.line = line;
	} else blocks.push({ kind: "text", text: escapeLineStarts(text), line });
}

/** A heading that runs over two lines is one heading. */
function addHeading(blocks: Block[], line: PdfLine, level: number, text: string): void {
	const last = blocks[blocks.length - 1];
	const mark = "#".repeat(level);
	if (last?.kind === "heading" && last.text.startsWith(`${mark} `) && isNext(last.line, line)) {
		last.text = joinText(last.text, text);
		last.line = line;
	} else blocks.push({ kind: "heading", text: `${mark} ${text}`, line });
}

function addItem(blocks: Block[], line: PdfLine, text: string): void {
	const run = blocks.slice(blocks.findLastIndex(({ kind }) => kind !== "item") + 1);
	const depth = new Set(
		run
			.filter(({ left }) => (left ?? 0) < line.left - INDENT_PER_LEVEL * line.size)
			.map(({ left }) => Math.round(left ?? 0)),
	).size;
	const body = NUMBER.test(text) ? text : `- ${text.replace(/^(?:[*-]|[^\p{ASCII}\p{Lo}])\s*/u, "")}`;
	blocks.push({ kind: "item", text: `${"   ".repeat(depth)}${body}`, line, left: line.left });
}

const isNext = (last: PdfLine, line: PdfLine, gap = PARAGRAPH_GAP): boolean => {
	const distance = last.y - line.y;
	return distance > 0 && distance < gap * Math.max(last.size, line.size);
};

function continuesParagraph(last: Block, line: PdfLine): boolean {
	if ((last.kind !== "text" && last.kind !== "item") || !isNext(last.line, line)) return false;
	if (Math.abs(last.line.size - line.size) > 1) return false;
	if (last.kind === "item")
		return isNext(last.line, line, ITEM_GAP) && line.left > (last.left ?? 0) + INDENT_PER_LEVEL * line.size;
	return line.left - (last.left ?? last.line.left) < INDENT * line.size;
}

/** Joins a word that was hyphenated at the end of a line. */
function joinText(before: string, after: string): string {
	if (/\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
	return `${before} ${after}`;
}

function joinPageBlocks(blocks: readonly Block[]): string {
	return blocks
		.map(({ kind, text }, index) => {
			const tight = kind === "item" && blocks[index - 1]?.kind === "item";
			return `${index === 0 ? "" : tight ? "\n" : "\n\n"}${text}`;
		})
		.join("");
}
