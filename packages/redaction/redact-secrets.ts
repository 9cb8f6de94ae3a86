import { NO_HITS } from "./detector.ts";
import { DETECTORS, findHits } from "./detectors.ts";
import { moveHits } from "./find-hits.ts";
import { type Deadline, mergeSpans, REDACTED_MARK, replaceSpans, type Span } from "./spans.ts";

/** A replacement changes what its neighbors look like, so the text is read again until nothing more is found. */
const MAXIMUM_PASSES = 8;

export function redactSecrets(text: string, deadline: Deadline): string {
	let current = text;
	let hits = findHits(text);
	for (let pass = 0; pass < MAXIMUM_PASSES; pass += 1) {
		const spans = DETECTORS.flatMap(({ find, isFinal }, own) =>
			isFinal && pass > 0 ? [] : find(current, hits[own] ?? NO_HITS, deadline),
		);
		const merged = mergeSpans(keepMarks(current, spans));
		if (merged.length === 0) break;
		hits = DETECTORS.map((detector, own) => moveHits(hits[own] ?? NO_HITS, detector, merged));
		current = replaceSpans(current, merged);
	}
	return current;
}

/** A span that contains only a mark would be replaced by the same mark; one that cuts a mark is widened to all of it. */
function keepMarks(text: string, spans: readonly Span[]): Span[] {
	const widened = spans.map((span) => widenOverMarks(text, span));
	return widened.filter(({ start, end }) =>
		/[\w\u0080-\uffff]/.test(text.slice(start, end).replaceAll(REDACTED_MARK, "")),
	);
}

/** Looks no further than a mark is long: a search through the whole text for each span would be quadratic. */
function widenOverMarks(text: string, span: Span): Span {
	return {
		start: markAcross(text, span.start)?.start ?? span.start,
		end: markAcross(text, span.end)?.end ?? span.end,
	};
}

/** The mark that begins before a position and ends after it. */
function markAcross(text: string, position: number): Span | undefined {
	const reach = REDACTED_MARK.length - 1;
	const from = Math.max(0, position - reach);
	const offset = text.slice(from, position + reach).indexOf(REDACTED_MARK);
	return offset === -1 ? undefined : { start: from + offset, end: from + offset + REDACTED_MARK.length };
}

/** Known values, wherever they are, inside other words too. The longest come first, so that no part of one is left. */
export function removeExactValues(text: string, secrets: readonly string[], deadline: Deadline): string {
	let current = text;
	for (const secret of [...secrets].sort((left, right) => right.length - left.length)) {
		deadline.check();
		if (secret.length >= MINIMUM_EXACT_LENGTH && !REDACTED_MARK.includes(secret)) {
			current = current.replaceAll(secret, REDACTED_MARK);
		}
	}
	return current;
}

/** Shorter values would erase ordinary words. */
const MINIMUM_EXACT_LENGTH = 4;
