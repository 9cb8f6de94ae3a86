import type { ScoredLine } from "./score-lines.ts";

interface LineWindow {
	readonly first: number;
	readonly last: number;
	readonly score: number;
	/** Best value of each term inside, by index. */
	readonly values: readonly number[];
}

const WINDOW_LINES = 24;
const BEST_LINE_SHARE = 0.6;

/** Words within one screen of each other belong together; a long file mentions everything somewhere. */
export function findWindow(lines: readonly ScoredLine[]): LineWindow {
	let best: LineWindow = { first: 1, last: 1, score: 0, values: [] };
	for (const [start, line] of lines.entries()) {
		const inside = takeWhile(lines, start, line.line + WINDOW_LINES);
		const values = bestValues(inside, line.values.length);
		const bestLine = Math.max(...inside.map(({ score }) => score));
		const bestName = Math.max(...inside.map(({ nameBonus }) => nameBonus));
		const score = sum(values) + BEST_LINE_SHARE * bestLine + bestName;
		if (score > best.score)
			best = { first: line.line, last: inside.at(-1)?.line ?? line.line, score, values };
	}
	return best;
}

/** The best value of each term over the lines. */
export function bestValues(lines: readonly ScoredLine[], count: number): number[] {
	const best = new Array<number>(count).fill(0);
	for (const line of lines) {
		line.values.forEach((value, index) => {
			if (value > (best[index] ?? 0)) best[index] = value;
		});
	}
	return best;
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function takeWhile(lines: readonly ScoredLine[], start: number, last: number): ScoredLine[] {
	let end = start;
	while ((lines[end]?.line ?? Number.POSITIVE_INFINITY) <= last) end += 1;
	return lines.slice(start, end);
}
