/** Milliseconds to wait according to a Retry-After header (seconds or an HTTP date); undefined when it has none. */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | undefined {
	if (value === null || value === undefined) return undefined;
	const trimmed = value.trim();
	if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1000;
	if (!/[a-z]/i.test(trimmed)) return undefined;
	const date = Date.parse(trimmed);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
