import type { Detector, Hits } from "./detector.ts";
import { createLiteralScan, type LiteralScan } from "./scan-literals.ts";
import { REDACTED_MARK, type Span } from "./spans.ts";

/** One scan for the literals of all detectors. Gives the hits of each. Its tables are made when a text is first searched. */
export function createHitSearch(detectors: readonly Detector[]): (text: string) => readonly Hits[] {
	const owners = detectors.flatMap(({ literals }, detector) =>
		literals.map((_, literal) => ({ detector, literal })),
	);
	let scan: LiteralScan | undefined;
	return (text) => {
		scan ??= createLiteralScan(detectors.flatMap(({ literals }) => literals));
		const found = detectors.map((): MutableHits => ({ indexes: [], literals: [] }));
		scan(text, (index, number) => {
			const owner = owners[number];
			if (owner !== undefined) addHit(found[owner.detector], index, owner.literal);
		});
		return found;
	};
}

interface MutableHits {
	readonly indexes: number[];
	readonly literals: number[];
}

function addHit(hits: MutableHits | undefined, index: number, literal: number): void {
	hits?.indexes.push(index);
	hits?.literals.push(literal);
}

/**
 * Where the hits are after spans became marks, without another look at the text. Those a span cut are gone; a mark
 * adds none, because no literal is part of it or reaches over its brackets.
 */
export function moveHits({ indexes, literals }: Hits, detector: Detector, merged: readonly Span[]): Hits {
	const moved: MutableHits = { indexes: [], literals: [] };
	let next = 0;
	let shift = 0;
	indexes.forEach((index, hit) => {
		const literal = literals[hit] ?? 0;
		for (let span = merged[next]; span !== undefined && span.end <= index; span = merged[next]) {
			shift += REDACTED_MARK.length - (span.end - span.start);
			next += 1;
		}
		const end = index + (detector.literals[literal]?.text.length ?? 0);
		if ((merged[next]?.start ?? end) >= end) addHit(moved, index + shift, literal);
	});
	return moved;
}
