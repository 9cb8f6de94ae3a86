import { findAssignments } from "./find-assignments.ts";
import { findByLiteral } from "./find-by-literal.ts";
import { findCookies } from "./find-cookies.ts";
import { findKubernetesSecrets } from "./find-kubernetes-secrets.ts";
import { findPrivateKeys } from "./find-private-keys.ts";
import { findStructures } from "./find-structures.ts";
import { type Deadline, type Detector, REDACTED_MARK, replaceSpans, type Span } from "./spans.ts";

const DETECTORS: readonly Detector[] = [
	findPrivateKeys,
	findByLiteral,
	findAssignments,
	findStructures,
	findCookies,
	findKubernetesSecrets,
];

/** A replacement changes what its neighbours look like, so the text is read again until nothing more is found. */
const MAXIMUM_PASSES = 8;

export function redactSecrets(text: string, deadline: Deadline): string {
	let current = text;
	for (let pass = 0; pass < MAXIMUM_PASSES; pass += 1) {
		const spans = DETECTORS.flatMap((detect) => detect(current, deadline));
		const next = replaceSpans(current, keepMarks(current, spans));
		if (next === current) break;
		current = next;
	}
	return current;
}

/** A span that holds nothing but a mark would only put the same mark again; one that cuts a mark takes it whole. */
function keepMarks(text: string, spans: readonly Span[]): Span[] {
	const kept: Span[] = [];
	for (const span of spans) {
		const widened = widenOverMarks(text, span);
		const secret = text.slice(widened.start, widened.end).replaceAll(REDACTED_MARK, "");
		if (/[\w\u0080-\uffff]/.test(secret)) kept.push(widened);
	}
	return kept;
}

function widenOverMarks(text: string, span: Span): Span {
	const reach = REDACTED_MARK.length - 1;
	const left = text.lastIndexOf(REDACTED_MARK, span.start - 1);
	const start = left !== -1 && left >= span.start - reach ? left : span.start;
	const right = text.indexOf(REDACTED_MARK, Math.max(0, span.end - reach));
	const end = right !== -1 && right < span.end ? right + REDACTED_MARK.length : span.end;
	return { start, end };
}

/** Known values, wherever they stand, inside of other words too. The longest come first, so that none leaves a rest. */
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
