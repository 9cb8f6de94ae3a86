import type { PdfLine, PdfSegment } from "./group-lines.ts";

/** Rows of cells, each a segment or nothing. */
type PdfTable = readonly (readonly (PdfSegment | undefined)[])[];

const MIN_ROWS = 2;
/** How far an edge may be from its column's, in letter heights. */
const ALIGNED = 0.8;
/** Rows of one table follow each other within so many letter heights. */
const ROW_DISTANCE = 3;
/** A lone sign in front: a bullet, also one that the font maps to some foreign letter. Han signs are words. */
const BULLET = /^(?:[*-]|[^\p{ASCII}\p{Lo}])$/u;

/**
 * A table at the start of `lines`: at least two lines in a row with several segments whose left edges, right
 * edges or middles are aligned. Undefined when there is none.
 */
export function findTable(lines: readonly PdfLine[]): PdfTable | undefined {
	const run = takeColumnLines(lines);
	for (let length = run.length; length >= MIN_ROWS; length -= 1) {
		const table = alignRows(run.slice(0, length));
		if (table) return table;
	}
	return undefined;
}

function takeColumnLines(lines: readonly PdfLine[]): PdfLine[] {
	const run: PdfLine[] = [];
	for (const line of lines) {
		const last = run[run.length - 1];
		if (line.segments.length < 2 || startsWithBullet(line)) break;
		if (last && (last.y - line.y > ROW_DISTANCE * line.size || last.y <= line.y)) break;
		run.push(line);
	}
	return run;
}

export function startsWithBullet(line: PdfLine): boolean {
	const first = line.segments[0]?.items.map(({ text }) => text).join("");
	return BULLET.test((first ?? "").trim());
}

function alignRows(lines: readonly PdfLine[]): PdfTable | undefined {
	const columns = lines.reduce<readonly PdfSegment[]>(
		(most, { segments }) => (segments.length > most.length ? segments : most),
		[],
	);
	const rows: (PdfSegment | undefined)[][] = [];
	for (const { segments, size } of lines) {
		const row: (PdfSegment | undefined)[] = columns.map(() => undefined);
		for (const segment of segments) {
			const index = columns.findIndex(
				(column, place) => !row[place] && isAligned(column, segment, size * ALIGNED),
			);
			if (index === -1) return undefined;
			row[index] = segment;
		}
		rows.push(row);
	}
	return rows;
}

function isAligned(column: PdfSegment, cell: PdfSegment, slack: number): boolean {
	const near = (one: number, other: number): boolean => Math.abs(one - other) <= slack;
	return (
		near(column.left, cell.left) ||
		near(column.right, cell.right) ||
		near((column.left + column.right) / 2, (cell.left + cell.right) / 2)
	);
}
