/** Replaces a secret. It is recognized again, so that redacting twice changes nothing. */
export const REDACTED_MARK = "[REDACTED]";

/** A stretch of text to replace: from `start` up to, not including, `end`. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Checked between candidates. Throws `DeadlineExceeded` when time is up. */
export interface Deadline {
	check(): void;
}

export class DeadlineExceeded extends Error {}

const CHECKS_PER_CLOCK_READING = 64;

export function createTimeCheck(deadlineMs: number, now: () => number): Deadline {
	const end = now() + deadlineMs;
	let countdown = 0;
	return {
		check() {
			countdown -= 1;
			if (countdown > 0) return;
			countdown = CHECKS_PER_CLOCK_READING;
			if (now() > end) throw new DeadlineExceeded();
		},
	};
}

/** In the order of the text; overlapping and touching ones become one. */
export function mergeSpans(spans: readonly Span[]): Span[] {
	const sorted = [...spans].sort((left, right) => left.start - right.start || left.end - right.end);
	const merged: { start: number; end: number }[] = [];
	for (const span of sorted) {
		const open = merged.at(-1);
		if (open !== undefined && span.start <= open.end) open.end = Math.max(open.end, span.end);
		else merged.push({ start: span.start, end: span.end });
	}
	return merged;
}

/** Replaces each span with a mark. */
export function replaceSpans(text: string, merged: readonly Span[]): string {
	const pieces: string[] = [];
	let position = 0;
	for (const span of merged) {
		pieces.push(text.slice(position, span.start), REDACTED_MARK);
		position = span.end;
	}
	pieces.push(text.slice(position));
	return pieces.join("");
}
