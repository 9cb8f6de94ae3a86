import { formatCount, spellDuration } from "@deputize/ground";
import type { SubagentsConfig } from "../contract/config.ts";
import type { SubagentErrorCode } from "../contract/error-codes.ts";
import type { ChildEnd } from "../contract/event.ts";
import type { FailureCause, FailureKind } from "../contract/failure.ts";
import { type Finalization, NEVER_CALLED } from "../contract/finalization.ts";
import type { Collected } from "./collect-output.ts";
import { describeProviderError } from "./describe-provider-error.ts";
import { findProviderCause } from "./find-provider-cause.ts";
import { CONFIG_LIMIT_NAMES, type LimitNames } from "./limit-names.ts";

export type Verdict =
	/** `lostOutput`: a part of the answer that was too long to be read. */
	| { readonly kind: "success"; readonly finalization: Finalization; readonly lostOutput?: string }
	| { readonly kind: "not-finalized"; readonly reason: string; readonly lostOutput?: string }
	| {
			readonly kind: "failure";
			readonly code: SubagentErrorCode;
			readonly exitCode: number;
			readonly message: string;
			/** The end of the child's error output, raw and uncut. */
			readonly stderrTail?: string;
			readonly timeoutReason?: "runtime" | "idle";
			readonly cause: FailureCause;
			/** Output of the child that was too long to be read. */
			readonly lostOutput?: string;
			/** The child process or its connection failed, not the work itself. */
			readonly crashed: boolean;
	  };

const TIMEOUT_EXIT_CODE = 124;
const CANCELLED_EXIT_CODE = 130;
/** pi's exit codes after the SIGTERM or SIGHUP that we send once it has settled. */
const TERMINATED_EXIT_CODES = [143, 129];

/**
 * How an attempt went, judged by structured fields in a fixed order and never by words in the text: pi
 * exits 0 when its provider failed, and an answer may well be about timeouts.
 */
export function judgeAttempt(
	collected: Collected,
	end: ChildEnd,
	config: SubagentsConfig,
	names: LimitNames = CONFIG_LIMIT_NAMES,
): Verdict {
	const verdict =
		judgeEnding(collected, end, config, names) ??
		judgeExit(collected, end) ??
		judgeLastMessage(collected) ??
		judgeFinalization(collected, config);
	// A handover is complete even if other output was too long.
	const isWhole = verdict.kind === "success" && collected.finalization !== undefined;
	return end.lostOutput === undefined || isWhole ? verdict : { ...verdict, lostOutput: end.lostOutput };
}

function judgeEnding(
	collected: Collected,
	end: ChildEnd,
	config: SubagentsConfig,
	names: LimitNames,
): Verdict | undefined {
	switch (end.reason) {
		case "aborted":
			return failure("cancelled", {
				exitCode: CANCELLED_EXIT_CODE,
				message: end.message ?? "The run was cancelled.",
			});
		case "runtime-timeout":
			return failure("runtime", {
				code: "SUBAGENT_TIMEOUT",
				exitCode: TIMEOUT_EXIT_CODE,
				timeoutReason: "runtime",
				message: `The run took longer than ${spellDuration(config.timeoutMs)}, the limit set by ${names.timeoutMs}, and was stopped.${describeRefusals(collected)}`,
			});
		case "idle-timeout":
			return failure("idle", {
				code: "SUBAGENT_TIMEOUT",
				exitCode: TIMEOUT_EXIT_CODE,
				timeoutReason: "idle",
				message: `The child did nothing for ${spellDuration(config.idleTimeoutMs)}, the limit set by ${names.idleTimeoutMs}, and was stopped.${describeRefusals(collected) || describeWait(collected)}`,
			});
		case "output-limit":
			return failure("output_limit", {
				code: "SUBAGENT_OUTPUT_TRUNCATED",
				message: end.message ?? "The child wrote more output than is accepted and was stopped.",
			});
		case "given-up":
			return collected.corrections > config.finalize.maxCorrections
				? { kind: "not-finalized", reason: end.message ?? NEVER_CALLED }
				: failure("no_progress", { message: end.message ?? "The child made no progress and was stopped." });
		case "memory-limit":
			return failure("memory", {
				message: `The child used more than the ${config.maxMemoryMb} MB that subagents.maxMemoryMb allows and was stopped.`,
			});
		case "turn-limit":
		case "cost-limit":
			return failure(end.reason === "turn-limit" ? "max_turns" : "max_cost", {
				code: "SUBAGENT_LIMIT_REACHED",
				message: end.message ?? "The run reached a limit and was stopped.",
			});
		case "spawn-error":
			return failure("start", { message: end.message ?? "The child could not be started.", crashed: true });
		default:
			return undefined;
	}
}

/** A child that was asking again all the time was not slow: its provider refused. */
function describeRefusals({ refusals }: Collected): string {
	if (refusals === undefined) return "";
	const reason = refusals.reason === "" ? "" : `: ${refusals.reason}`;
	return ` The provider had refused its last ${formatCount(refusals.count, "request")}${reason}.`;
}

/** Silence of a model is not the child's. */
function describeWait({ lastEvent }: Collected): string {
	return lastEvent === "turn-start"
		? " It was waiting for its model, which had sent nothing; a server on this machine may still be loading it."
		: "";
}

function judgeExit(collected: Collected, end: ChildEnd): Verdict | undefined {
	if (collected.crash !== undefined && collected.finalization === undefined)
		return failure("crashed", { message: collected.crash });
	if (end.signal !== null && !collected.settled) {
		return failure("crashed", {
			message: `The child was killed by ${end.signal}.${describeMemory(end)}`,
			stderrTail: end.stderrTail,
			crashed: true,
		});
	}
	const failedByItself =
		end.exitCode !== null && end.exitCode !== 0 && !TERMINATED_EXIT_CODES.includes(end.exitCode);
	if (failedByItself || (!collected.settled && end.exitCode !== 0)) {
		return failure("crashed", {
			exitCode: end.exitCode ?? 1,
			message: `The child exited with code ${end.exitCode}.${describeMemory(end)}`,
			stderrTail: end.stderrTail,
		});
	}
	if (collected.settled) return undefined;
	const silent = collected.lastStop === undefined;
	const lastEvent = collected.lastEvent ? ` The last event was ${collected.lastEvent}.` : "";
	return failure("crashed", {
		message: `The child ended ${silent ? "without any answer" : "before its work was settled"}.${lastEvent}`,
		stderrTail: end.stderrTail,
		crashed: silent,
	});
}

/** pi reports what it could not write as an error of its model. */
const DISK_FULL = /\b(?:ENOSPC|EDQUOT)\b/;

function judgeLastMessage(collected: Collected): Verdict | undefined {
	const stop = collected.lastStop;
	if (collected.aborted || stop?.reason === "aborted")
		return failure("cancelled", { message: "The child's work was aborted." });
	if (stop?.reason !== "error") return undefined;
	const said = stop.failure?.message ?? "";
	if (DISK_FULL.test(said))
		return failure("disk_full", { message: `The disk is full (${said}). Make room, and run it again.` });
	const message = `The model provider failed: ${said === "" ? "it gave no reason" : describeProviderError(said)}`;
	return failure(findProviderCause(stop.failure ?? { message: "" }), { message });
}

function judgeFinalization(collected: Collected, config: SubagentsConfig): Verdict {
	const finalization = collected.finalization ?? acceptText(collected, config);
	if (!finalization) {
		return { kind: "not-finalized", reason: collected.finalizationProblem ?? NEVER_CALLED };
	}
	if (finalization.status === "ERROR") return failure("reported", { message: finalization.error });
	return { kind: "success", finalization };
}

function acceptText(collected: Collected, config: SubagentsConfig): Finalization | undefined {
	const complete =
		config.finalize.mode === "text" && collected.lastStop?.reason === "stop" && collected.text !== "";
	return complete ? { status: "SUCCESS", result: collected.text } : undefined;
}

function failure(
	cause: FailureKind | FailureCause,
	parts: Partial<Extract<Verdict, { kind: "failure" }>> & { message: string },
): Verdict {
	return {
		kind: "failure",
		code: "SUBAGENT_FAILED",
		exitCode: 1,
		crashed: false,
		cause: typeof cause === "string" ? { kind: cause } : cause,
		...parts,
	};
}

function describeMemory(end: ChildEnd): string {
	return ranOutOfMemory(end) ? " It ran out of memory." : "";
}

/** V8 reports it on stderr before it aborts; the signal alone would look like any other crash. */
export function ranOutOfMemory(end: ChildEnd): boolean {
	return /heap out of memory|Allocation failed - JavaScript heap/.test(end.stderrTail);
}
