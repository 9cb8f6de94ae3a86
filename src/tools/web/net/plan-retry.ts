import type { FetchOptions, FetchOutcome } from "./fetch-outcome.ts";

const RETRY_BACKOFF_MS = 300;
/** If a server asks for a longer wait than this, its answer is reported instead. */
const MAX_RETRY_WAIT_MS = 5000;
const RETRY_STATUS = new Set([429, 502, 503, 504]);

/** How long to wait before asking again, or undefined when the outcome is final. */
export function chooseRetryWait(
	outcome: FetchOutcome,
	request: FetchOptions,
	remainingMs: number,
): number | undefined {
	if (outcome.ok) return undefined;
	const isRead = (request.method ?? "GET") === "GET";
	const canRetry =
		outcome.status === undefined
			? outcome.code === "NETWORK_ERROR" && isRead
			: RETRY_STATUS.has(outcome.status) && (isRead || outcome.status === 429);
	if (!canRetry) return undefined;
	const waitMs = outcome.retryAfterMs ?? RETRY_BACKOFF_MS;
	return waitMs <= Math.min(MAX_RETRY_WAIT_MS, remainingMs / 2) ? waitMs : undefined;
}
