import type { SubagentsConfig } from "../contract/config.ts";
import type { ChildEnd } from "../contract/event.ts";
import type { FailureCause, FailureKind } from "../contract/failure.ts";
import { FINALIZE_TOOL } from "../contract/finalization.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Collected } from "./collect-output.ts";
import { ranOutOfMemory, type Verdict } from "./judge-attempt.ts";

type NextAttempt =
	| { readonly kind: "stop" }
	/** Send the same task again after a pause. */
	| { readonly kind: "retry"; readonly delayMs: number }
	/** Continue the session with feedback. */
	| { readonly kind: "correct"; readonly reason: string }
	/** Continue the session, or begin again where nothing was done yet, with the next model. */
	| { readonly kind: "switch-model"; readonly cause: FailureCause };

const STOP: NextAttempt = { kind: "stop" };
/** Signals worth a second try. SIGKILL is not one: it was sent on purpose, or by the kernel to free memory. */
const RETRYABLE_SIGNALS = ["SIGSEGV", "SIGABRT", "SIGBUS"];
/** The system was temporarily short of a resource. Any other spawn error would happen again. */
const RETRYABLE_SPAWN_ERRORS = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"];

/** A socket that was to be covered went away meanwhile. Each start lists anew what there is to cover. */
const MAX_SANDBOX_STARTS = 5;

/** Refusals that concern one provider, account or model: another one may well answer. */
const REFUSALS: readonly FailureKind[] = ["unauthorized", "quota_exceeded", "rate_limited", "overloaded"];
const UNKNOWN_MODEL_STATUS = 404;

/**
 * Stop, retry, correct or continue with another model. A retry requires that nothing with side effects ran, and that the
 * child failed rather than the provider: pi has already retried the provider by the time we see the failure.
 */
export function nextAttempt(
	state: {
		readonly collected: Collected;
		readonly end: ChildEnd;
		readonly verdict: Verdict;
		/** Retries so far, corrections not counted. */
		readonly retries: number;
		/** There is a model to fall back on. */
		readonly hasFallback?: boolean;
	},
	config: SubagentsConfig,
	isReadonlyTool: (name: string) => boolean,
): NextAttempt {
	const { collected, end, verdict } = state;
	if (verdict.kind === "not-finalized") {
		return collected.corrections < config.finalize.maxCorrections
			? { kind: "correct", reason: verdict.reason }
			: STOP;
	}
	if (verdict.kind === "success") return STOP;
	const onlyRead = [...collected.toolsStarted].every(
		(name) => isReadonlyTool(name) || name === FINALIZE_TOOL,
	);
	if (state.hasFallback && onlyRead && isRefusal(verdict.cause))
		return { kind: "switch-model", cause: verdict.cause };
	if (hasNoSandbox(collected, end))
		return state.retries + 1 < MAX_SANDBOX_STARTS ? { kind: "retry", delayMs: 0 } : STOP;
	if (!verdict.crashed || !config.retry.enabled) return STOP;
	const triesLeft = state.retries + 1 < config.retry.maxAttempts;
	if (!triesLeft || !onlyRead || collected.childRetried || !canSurvive(end)) return STOP;
	return { kind: "retry", delayMs: LIMITS.retryBackoffMs * 2 ** state.retries };
}

function isRefusal({ kind, status = 0 }: FailureCause): boolean {
	return REFUSALS.includes(kind) || status >= 500 || status === UNKNOWN_MODEL_STATUS;
}

/** bubblewrap ended before it had started anything: there is nothing that could run twice. */
function hasNoSandbox({ lastEvent }: Collected, { reason, exitCode, stderrTail }: ChildEnd): boolean {
	const isSilent = lastEvent === undefined || lastEvent === "child-start";
	return isSilent && reason === "exit" && exitCode === 1 && /^bwrap: Can't /m.test(stderrTail);
}

function canSurvive(end: ChildEnd): boolean {
	if (end.reason === "spawn-error") return RETRYABLE_SPAWN_ERRORS.includes(end.errorCode ?? "");
	if (end.signal !== null) return RETRYABLE_SIGNALS.includes(end.signal) && !ranOutOfMemory(end);
	return end.exitCode === 0;
}
