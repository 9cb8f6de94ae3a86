import { rankHeadingSizes } from "../rank-heading-sizes.ts";
import type { PdfLine } from "./group-lines.ts";

/** 1 to 6 for a line of that size, 0 for body text. */
export type HeadingLevels = (size: number) => number;

const MAX_LEVELS = 6;
const roundSize = (size: number): number => Math.round(size * 2) / 2;

/** Ranks the sizes above the body's: the largest is a first-level heading. */
export function rankSizes(lines: readonly PdfLine[]): HeadingLevels {
	const sizes = rankHeadingSizes(
		lines.map(({ size, items }) => [roundSize(size), items.map(({ text }) => text).join("").length]),
	);
	return (size) => Math.min(MAX_LEVELS, sizes.indexOf(roundSize(size)) + 1);
}
