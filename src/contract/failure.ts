/**
 * Why a delegation failed, for programs that decide what to do next. The words are contract: add, never rename.
 * The first group is the model provider's doing, the second the caller's or a limit's, the third the child's.
 */
export type FailureKind =
	| "rate_limited"
	| "quota_exceeded"
	| "overloaded"
	| "unauthorized"
	| "bad_request"
	| "network"
	| "provider"
	| "cancelled"
	| "runtime"
	| "idle"
	| "output_limit"
	| "memory"
	| "max_turns"
	| "max_cost"
	| "waiting_calls"
	| "disk_full"
	| "start"
	| "crashed"
	| "not_finalized"
	| "no_progress"
	| "reported";

export interface FailureCause {
	readonly kind: FailureKind;
	/** HTTP status of the provider's answer. */
	readonly status?: number;
	/** How long the provider asked to wait before the next request. */
	readonly retryAfterMs?: number;
}
