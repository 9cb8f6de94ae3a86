import type { Literal } from "./scan-literals.ts";
import type { Deadline, Span } from "./spans.ts";

/**
 * Where the literals of a detector are, in text order, each with its number in the detector's list. Two plain
 * arrays, because a megabyte of names would be hundreds of thousands of objects.
 */
export interface Hits {
	readonly indexes: readonly number[];
	readonly literals: readonly number[];
}

export const NO_HITS: Hits = { indexes: [], literals: [] };

/**
 * One way of finding secrets. The text is searched once for the literals of all detectors; each is then shown its own
 * hits, in the order of the text, and says what to replace. It only reads: all spans are replaced together.
 */
export interface Detector {
	readonly literals: readonly Literal[];
	readonly find: (text: string, hits: Hits, deadline: Deadline) => Span[];
	/** Its findings do not depend on other replacements, so it runs only once. */
	readonly isFinal?: true;
	/** Whether a secret may begin at this hit if the text goes on. Without it, every hit counts. */
	readonly mayOpen?: (text: string, index: number, literal: number) => boolean;
}

/**
 * A `find` that reads on from each hit, one after the other. `read` adds what it finds to `spans` and returns where it stopped:
 * hits before that are left out, so that nothing is read twice.
 */
export function readingFrom(
	read: (text: string, index: number, spans: Span[], deadline: Deadline) => number,
): Detector["find"] {
	return (text, hits, deadline) => {
		const spans: Span[] = [];
		let resumeAt = 0;
		for (const index of hits.indexes) {
			if (index < resumeAt) continue;
			deadline.check();
			resumeAt = read(text, index, spans, deadline);
		}
		return spans;
	};
}

export function exactly(texts: readonly string[]): Literal[] {
	return texts.map((text) => ({ text, ignoreCase: false }));
}

/** Written in lower case, found in any. */
export function inAnyCase(texts: readonly string[]): Literal[] {
	return texts.map((text) => ({ text, ignoreCase: true }));
}
