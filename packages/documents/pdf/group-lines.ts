import type { PdfItem, PdfLink, PdfPage } from "./pdf-page.ts";

/** Text without wide gaps on a line; a wide gap begins the next segment. */
export interface PdfSegment {
	readonly left: number;
	readonly right: number;
	readonly items: readonly PdfItem[];
}

export interface PdfLine {
	readonly y: number;
	/** Of the largest letters on the line that are not a superscript. */
	readonly size: number;
	readonly left: number;
	readonly right: number;
	/** From left to right. */
	readonly items: readonly PdfItem[];
	readonly segments: readonly PdfSegment[];
}

/** Baselines this far apart, in letter heights, still belong to one line: superscripts do. */
const SAME_LINE = 0.45;
/** A gap this wide, in letter heights, separates columns of a table. */
const COLUMN_GAP = 1.4;
/** How far back an item may start on the line it continues; more means another column of the page. */
const BACKWARD = 2;

/**
 * Lines in the order in which the file draws them, which is the reading order in nearly every PDF: columns of a
 * page stay apart without being looked for. Within a line, items go from left to right.
 */
export function groupLines(page: PdfPage): PdfLine[] {
	const lines: PdfItem[][] = [];
	for (const item of page.items) {
		const current = lines[lines.length - 1];
		if (current && continuesLine(current, item)) current.push(item);
		else lines.push([item]);
	}
	return lines.map(buildLine);
}

function continuesLine(line: readonly PdfItem[], item: PdfItem): boolean {
	const last = line[line.length - 1];
	const anchor = largest(line);
	if (!last || !anchor) return false;
	const height = Math.max(anchor.size, item.size);
	if (Math.abs(item.y - anchor.y) > SAME_LINE * height) return false;
	return (
		item.x >= last.x + last.width - BACKWARD * height || line.some((other) => overlaps(other, item, height))
	);
}

function overlaps(other: PdfItem, item: PdfItem, slack: number): boolean {
	return item.x < other.x + other.width + slack && item.x + item.width > other.x - slack;
}

function largest(items: readonly PdfItem[]): PdfItem | undefined {
	return items.reduce<PdfItem | undefined>(
		(most, item) => (!most || item.size > most.size ? item : most),
		undefined,
	);
}

function buildLine(items: readonly PdfItem[]): PdfLine {
	const sorted = items.toSorted((one, other) => one.x - other.x);
	const anchor = largest(sorted);
	const size = anchor?.size ?? 0;
	const segments: PdfItem[][] = [];
	let right = Number.NEGATIVE_INFINITY;
	for (const item of sorted) {
		if (item.x - right > COLUMN_GAP * size) segments.push([]);
		segments[segments.length - 1]?.push(item);
		right = Math.max(right, item.x + item.width);
	}
	const ranges = segments.map((members) => ({
		left: members[0]?.x ?? 0,
		right: Math.max(...members.map(({ x, width }) => x + width)),
		items: members,
	}));
	return { y: anchor?.y ?? 0, size, left: sorted[0]?.x ?? 0, right, items: sorted, segments: ranges };
}

/** The link whose area covers the middle of an item. */
export function linkAt(item: PdfItem, links: readonly PdfLink[]): PdfLink | undefined {
	const x = item.x + item.width / 2;
	const y = item.y + item.size / 3;
	return links.find(
		({ left, right, bottom, top }) => x >= left && x <= right && y >= bottom - 1 && y <= top + 1,
	);
}
