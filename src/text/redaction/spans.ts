/** What stands in the place of a secret. It is recognised again, so that redacting twice changes nothing. */
export const REDACTED_MARK = "[REDACTED]";

/** A stretch of text to replace: from `start` up to, not including, `end`. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** One way of finding secrets. It only reads; the spans of all detectors are replaced together. */
export type Detector = (text: string, deadline: Deadline) => Span[];

/** Asked between candidates. Throws `DeadlineExceeded` when the time is over. */
export interface Deadline {
	check(): void;
}

export class DeadlineExceeded extends Error {}

const CHECKS_PER_CLOCK_READING = 64;

export function createDeadline(deadlineMs: number, now: () => number): Deadline {
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

/** Replaces all spans at once; overlapping and touching ones become one mark. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
	const sorted = [...spans].sort((left, right) => left.start - right.start || left.end - right.end);
	const pieces: string[] = [];
	let position = 0;
	let open: { start: number; end: number } | undefined;
	const flush = () => {
		if (open === undefined) return;
		pieces.push(text.slice(position, open.start), REDACTED_MARK);
		position = open.end;
		open = undefined;
	};
	for (const span of sorted) {
		if (open !== undefined && span.start <= open.end) {
			open.end = Math.max(open.end, span.end);
			continue;
		}
		flush();
		open = { start: span.start, end: span.end };
	}
	flush();
	pieces.push(text.slice(position));
	return pieces.join("");
}
