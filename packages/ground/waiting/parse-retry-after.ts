/**
 * How long a server asks to wait, in any of the ways servers say it: `Retry-After-Ms`, or `Retry-After` in seconds
 * or as an HTTP date. Undefined when it does not, or says something else.
 */
export function parseRetryAfter(
	header: (name: string) => string | null | undefined,
	nowMs: number,
): number | undefined {
	const exactMs = parseAmount(header("retry-after-ms"));
	if (exactMs !== undefined) return exactMs;
	const value = header("retry-after")?.trim() ?? "";
	const seconds = parseAmount(value);
	if (seconds !== undefined) return seconds * 1000;
	// Date.parse makes a year of any bare number, so only something with a name of a day or month is a date.
	const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function parseAmount(value: string | null | undefined): number | undefined {
	const text = value?.trim() ?? "";
	return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}
