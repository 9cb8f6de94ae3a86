import type { Pen } from "./pen.ts";

/** A fact of a run in words. The higher its weight, the longer it stays where there is not room for all. */
export interface Fact {
	readonly text: string;
	readonly weight: number;
}

/** The facts in their order, joined, without the least important ones when they would not fit into so many columns. */
export function fitFacts(facts: readonly Fact[], columns: number, pen: Pick<Pen, "visibleWidth">): string {
	const joined = facts.map(({ text }) => text).join(" · ");
	if (facts.length <= 1 || pen.visibleWidth(joined) <= columns) return joined;
	const least = Math.min(...facts.map(({ weight }) => weight));
	const index = facts.findLastIndex(({ weight }) => weight === least);
	return fitFacts(facts.toSpliced(index, 1), columns, pen);
}
