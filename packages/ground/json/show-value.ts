const MAX_SHOWN_CHARS = 80;

/**
 * A value as a message that refuses it quotes it. A long one only by its size: a cut through a secret would hide the
 * rest of it from redaction.
 */
export function showValue(value: unknown): string {
	const text = toJsonText(value);
	return text.length > MAX_SHOWN_CHARS ? `a value of ${text.length} characters` : text;
}

/** What no JSON can say (a circle, a BigInt) can still be refused by its kind. */
function toJsonText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return typeof value === "bigint" ? `${value}n` : `a value of type ${typeof value}`;
	}
}
