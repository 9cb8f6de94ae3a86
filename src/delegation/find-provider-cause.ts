import { defined } from "@deputize/ground";
import type { FailureCause, FailureKind } from "../contract/failure.ts";

/** The facts are known where the runtime talks to the provider directly; pi passes on only the message. */
export interface ProviderFailure extends Omit<FailureCause, "kind"> {
	readonly message: string;
}

/**
 * What kind of failure a provider's error is: for whoever reads the result, and for the choice of another model. Whether
 * the same one is asked again is decided by structured fields alone.
 */
export function findProviderCause(failure: ProviderFailure): FailureCause {
	const { message } = failure;
	const status = failure.status ?? findStatus(message);
	const retryAfterMs = failure.retryAfterMs ?? findRetryAfter(message);
	return defined({ kind: findKind(status, message), status, retryAfterMs });
}

const QUOTA = /insufficient[_ ]quota|quota exceeded|exceeded your current quota|credit balance|billing/i;
const OVERLOADED = /overloaded|capacity|temporarily unavailable/i;
const RATE_LIMITED = /rate[_ -]?limit|too many requests/i;
const UNAUTHORIZED =
	/unauthori[sz]ed|invalid[_ ]?(?:api[_ -]?)?key|authentication|no api key|permission denied/i;
const NETWORK =
	/ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|fetch failed|connection (?:error|lost|refused|closed)|socket hang up|network|other side closed|terminated/i;

function findKind(status: number | undefined, message: string): FailureKind {
	if (status === 402 || QUOTA.test(message)) return "quota_exceeded";
	if (status === 429) return "rate_limited";
	if (status === 401 || status === 403) return "unauthorized";
	if (status === 503 || status === 529) return "overloaded";
	if (status !== undefined) return status >= 500 ? "provider" : "bad_request";
	if (OVERLOADED.test(message)) return "overloaded";
	if (RATE_LIMITED.test(message)) return "rate_limited";
	if (UNAUTHORIZED.test(message)) return "unauthorized";
	return NETWORK.test(message) ? "network" : "provider";
}

/** A number of three digits at the beginning, or next to the word for it: an answer may well be about port 443. */
function findStatus(message: string): number | undefined {
	const found = /^\W{0,20}([45]\d\d)\b|\b(?:status(?: code)?|HTTP)\W{0,4}([45]\d\d)\b/i.exec(message);
	const digits = found?.[1] ?? found?.[2];
	return digits === undefined ? undefined : Number(digits);
}

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

function findRetryAfter(message: string): number | undefined {
	const found = /retry[- _]?(?:after|in)\W{0,4}(\d{1,9}(?:\.\d{1,6})?)\s{0,2}(ms|s|m)?\b/i.exec(message);
	if (!found) return undefined;
	const unit = { ms: 1, s: 1000, m: 60_000 }[found[2]?.toLowerCase() ?? "s"] ?? 1000;
	return Math.min(Math.round(Number(found[1]) * unit), MAX_RETRY_AFTER_MS);
}
