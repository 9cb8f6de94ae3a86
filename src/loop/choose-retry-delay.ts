const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/** What the server asked for, or twice as long each time; with some jitter, so that callers do not return together. */
export function chooseRetryDelay(
	retry: number,
	retryAfterMs: number | undefined,
	random: () => number,
): number {
	if (retryAfterMs !== undefined) return Math.min(MAX_DELAY_MS, retryAfterMs + random() * 100);
	return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retry * (0.75 + random() * 0.5));
}
