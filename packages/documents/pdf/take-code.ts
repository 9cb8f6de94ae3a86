import type { PdfLine } from "./group-lines.ts";

interface PdfCode {
	readonly text: string;
	readonly lines: number;
	readonly last: PdfLine;
}

const MIN_LINES = 2;
/** Lines further apart than this, in letter heights, have an empty line between them. */
const EMPTY_LINE = 1.8;
const MAX_DISTANCE = 3.2;

const isFixed = (line: PdfLine): boolean => line.items.every((item) => item.fixed || item.text.trim() === "");

/**
 * A listing at the start of `lines`: several lines set in a typewriter face only. Blanks come back from the
 * positions, since every letter of such a face is equally wide.
 */
export function takeCode(lines: readonly PdfLine[]): PdfCode | undefined {
	const run: PdfLine[] = [];
	for (const line of lines) {
		const last = run[run.length - 1];
		const distance = last ? last.y - line.y : 0;
		if (!isFixed(line) || distance < 0 || distance > MAX_DISTANCE * line.size) break;
		run.push(line);
	}
	const last = run[run.length - 1];
	if (run.length < MIN_LINES || !last) return undefined;
	const left = Math.min(...run.map((line) => line.left));
	const letter = letterWidth(run);
	const text = run.map((line, index) => {
		const before = run[index - 1];
		const gap = before && before.y - line.y > EMPTY_LINE * line.size ? "\n" : "";
		return gap + setLine(line, left, letter);
	});
	return { text: text.join("\n"), lines: run.length, last };
}

function letterWidth(lines: readonly PdfLine[]): number {
	const items = lines.flatMap((line) => line.items);
	const letters = items.reduce((sum, { text }) => sum + text.length, 0);
	const width = items.reduce((sum, item) => sum + item.width, 0);
	return letters > 0 && width > 0 ? width / letters : 1;
}

const MAX_COLUMN = 300;

function setLine(line: PdfLine, left: number, letter: number): string {
	let text = "";
	for (const item of line.items) {
		const column = Math.min(MAX_COLUMN, Math.max(0, Math.round((item.x - left) / letter)));
		text = text.padEnd(column) + item.text.replace(/\s+$/, "");
	}
	return text;
}
