import type { PdfLine } from "./group-lines.ts";

export interface HeadingLevels {
	/** 1 to 6 for a line of that size, 0 for body text. */
	levelOf(size: number): number;
}

/** Headings are larger than the body by at least this. */
const LARGER = 1.12;
const MAX_LEVELS = 6;
const roundSize = (size: number): number => Math.round(size * 2) / 2;

/** Ranks the sizes above the body's: the largest is a first-level heading. */
export function rankSizes(lines: readonly PdfLine[]): HeadingLevels {
	const letters = new Map<number, number>();
	for (const { size, segments } of lines) {
		const count = segments.flatMap(({ items }) => items).reduce((sum, { text }) => sum + text.length, 0);
		letters.set(roundSize(size), (letters.get(roundSize(size)) ?? 0) + count);
	}
	const [bodySize = 0] = [...letters].reduce<readonly [number, number]>(
		(most, entry) => (entry[1] > most[1] ? entry : most),
		[0, 0],
	);
	const sizes = [...letters.keys()]
		.filter((size) => size >= bodySize * LARGER)
		.sort((one, other) => other - one);
	return {
		levelOf: (size) => Math.min(MAX_LEVELS, sizes.indexOf(roundSize(size)) + 1),
	};
}
