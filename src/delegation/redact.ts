import { readStoredKeys } from "../config/read-stored-keys.ts";
import type { Surroundings } from "../config/read-surroundings.ts";
import { LIMITS } from "../contract/limits.ts";
import type { DisplayItem, RedactedText } from "../contract/result.ts";
import { collectSecrets } from "../text/collect-secrets.ts";
import { type SanitizeOptions, sanitizeOutput, sanitizeValue } from "../text/sanitize-output.ts";
import type { CollectedItem } from "./collect-output.ts";

/** Redaction with this run's own secrets. Every outlet of a delegation goes through one of these. */
export interface Redact {
	text(text: string): RedactedText;
	/** The beginning, at most so many characters. A secret across the end of it is seen whole before the cut. */
	head(text: string, maxChars: number): RedactedText;
	/** The end, likewise. */
	tail(text: string, maxChars: number): RedactedText;
	args(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
	items(items: readonly CollectedItem[]): readonly DisplayItem[];
}

/**
 * How much beyond a cut is redacted too, and not shown. Redacting all of a long text for a part of it would cost more
 * than the child itself when updates come ten times a second. No secret is longer than half of this.
 */
const MARGIN_CHARS = 16_384;

export function createRedact({ env, home, agentDirectory }: Surroundings): Redact {
	const settings = { secrets: collectSecrets(env, readStoredKeys(agentDirectory)), home };
	const text = (value: string): RedactedText => sanitizeOutput(value, settings);
	const head = (value: string, maxChars: number): RedactedText => {
		const redacted = text(value.slice(0, maxChars + MARGIN_CHARS));
		return redacted.slice(0, shownChars(value, redacted, maxChars)) as RedactedText;
	};
	const tail = (value: string, maxChars: number): RedactedText => {
		const redacted = text(value.slice(-maxChars - MARGIN_CHARS));
		return redacted.slice(redacted.length - shownChars(value, redacted, maxChars)) as RedactedText;
	};
	const args = (value: Readonly<Record<string, unknown>>) => redactArguments(value, head, settings);
	return {
		text,
		head,
		tail,
		args,
		items: (items) =>
			items.map((item) =>
				item.type === "text"
					? { type: "text", text: head(item.text, LIMITS.maxOutputChars) }
					: { ...item, args: args(item.args) },
			),
	};
}

/** Redaction makes text shorter: what is shown must still end well before the place where the text was cut raw. */
function shownChars(whole: string, redacted: string, maxChars: number): number {
	const wasCut = whole.length > maxChars + MARGIN_CHARS;
	const safe = wasCut ? Math.max(0, redacted.length - MARGIN_CHARS / 2) : redacted.length;
	return Math.min(maxChars, safe);
}

/** Arguments are for display: a file's whole content has no place in them. */
function redactArguments(
	args: Readonly<Record<string, unknown>>,
	head: Redact["head"],
	settings: SanitizeOptions,
): Readonly<Record<string, unknown>> {
	const max = LIMITS.maxDisplayArgumentChars;
	const shortened = Object.entries(args).map(([name, value]) =>
		typeof value === "string" && value.length > max ? [name, `${head(value, max)}…`] : [name, value],
	);
	return sanitizeValue(Object.fromEntries(shortened), settings) as Readonly<Record<string, unknown>>;
}
