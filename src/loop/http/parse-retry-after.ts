/** How long the server asks to wait, in any of the three ways servers say it. */
export function parseRetryAfter(header: (name: string) => string, nowMs: number): number | undefined {
	const exact = header("retry-after-ms");
	if (exact !== "" && Number.isFinite(Number(exact))) return Math.max(0, Number(exact));
	const value = header("retry-after");
	if (value === "") return undefined;
	if (Number.isFinite(Number(value))) return Math.max(0, Number(value) * 1000);
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/** The server's wish, or twice as long each time; a little less or more, so that callers do not return together. */
export function chooseRetryDelay(
	retry: number,
	retryAfterMs: number | undefined,
	random: () => number,
): number {
	if (retryAfterMs !== undefined) return Math.min(MAX_DELAY_MS, retryAfterMs + random() * 100);
	return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retry * (0.75 + random() * 0.5));
}
