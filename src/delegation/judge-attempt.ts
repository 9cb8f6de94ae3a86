import type { SubagentsConfig } from "../contract/config.ts";
import type { SubagentErrorCode } from "../contract/error-codes.ts";
import type { ChildEnd } from "../contract/event.ts";
import { type Finalization, NEVER_CALLED } from "../contract/finalization.ts";
import type { Collected } from "./collect-output.ts";

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
			/** What the child said that was too long to be read. */
			readonly lostOutput?: string;
			/** The child or the way to it broke, rather than the work in it. */
			readonly crashed: boolean;
	  };

const TIMEOUT_EXIT_CODE = 124;
const CANCELLED_EXIT_CODE = 130;
/** What pi exits with after the SIGTERM or SIGHUP that we sent to one that had settled. */
const PUT_DOWN_EXIT_CODES = [143, 129];

/**
 * How an attempt went, judged by structured fields in a fixed order and never by words in the text: pi
 * exits 0 when its provider failed, and an answer may well be about timeouts.
 */
export function judgeAttempt(collected: Collected, end: ChildEnd, config: SubagentsConfig): Verdict {
	const verdict =
		judgeEnding(collected, end, config) ??
		judgeExit(collected, end) ??
		judgeLastMessage(collected) ??
		judgeFinalization(collected, config);
	// What was handed over is whole, whatever else was too long.
	const isWhole = verdict.kind === "success" && collected.finalization !== undefined;
	return end.lostOutput === undefined || isWhole ? verdict : { ...verdict, lostOutput: end.lostOutput };
}

function judgeEnding(collected: Collected, end: ChildEnd, config: SubagentsConfig): Verdict | undefined {
	switch (end.reason) {
		case "aborted":
			return failure({ exitCode: CANCELLED_EXIT_CODE, message: "The run was cancelled." });
		case "runtime-timeout":
			return failure({
				code: "SUBAGENT_TIMEOUT",
				exitCode: TIMEOUT_EXIT_CODE,
				timeoutReason: "runtime",
				message: `The run took longer than the ${config.timeoutMs} ms that subagents.timeoutMs allows and was stopped.`,
			});
		case "idle-timeout":
			return failure({
				code: "SUBAGENT_TIMEOUT",
				exitCode: TIMEOUT_EXIT_CODE,
				timeoutReason: "idle",
				message: `The child did nothing for the ${config.idleTimeoutMs} ms that subagents.idleTimeoutMs allows and was stopped.`,
			});
		case "output-limit":
			return failure({
				code: "SUBAGENT_OUTPUT_TRUNCATED",
				message: end.message ?? "The child wrote more output than is accepted and was stopped.",
			});
		case "given-up":
			return collected.corrections > config.finalize.maxCorrections
				? { kind: "not-finalized", reason: end.message ?? NEVER_CALLED }
				: failure({ message: end.message ?? "The child made no progress and was stopped." });
		case "memory-limit":
			return failure({
				message: `The child used more than the ${config.maxMemoryMb} MB that subagents.maxMemoryMb allows and was stopped.`,
			});
		case "spawn-error":
			return failure({ message: end.message ?? "The child could not be started.", crashed: true });
		default:
			return undefined;
	}
}

function judgeExit(collected: Collected, end: ChildEnd): Verdict | undefined {
	if (end.signal !== null && !collected.settled) {
		return failure({ message: `The child was killed by ${end.signal}.${explainDeath(end)}`, crashed: true });
	}
	const failedByItself =
		end.exitCode !== null && end.exitCode !== 0 && !PUT_DOWN_EXIT_CODES.includes(end.exitCode);
	if (failedByItself || (!collected.settled && end.exitCode !== 0)) {
		return failure({
			exitCode: end.exitCode ?? 1,
			message: `The child exited with code ${end.exitCode}.${explainDeath(end)}`,
			stderrTail: end.stderrTail,
		});
	}
	if (collected.settled) return undefined;
	const silent = collected.lastStop === undefined;
	return failure({
		message: silent ? "The child ended without any answer." : "The child ended before its work was settled.",
		stderrTail: end.stderrTail,
		crashed: silent,
	});
}

function judgeLastMessage(collected: Collected): Verdict | undefined {
	const stop = collected.lastStop;
	if (collected.aborted || stop?.reason === "aborted")
		return failure({ message: "The child's work was aborted." });
	if (stop?.reason !== "error") return undefined;
	return failure({ message: `The model provider failed: ${stop.errorMessage ?? "it gave no reason"}` });
}

function judgeFinalization(collected: Collected, config: SubagentsConfig): Verdict {
	const finalization = collected.finalization ?? acceptText(collected, config);
	if (!finalization) {
		return { kind: "not-finalized", reason: collected.finalizationProblem ?? NEVER_CALLED };
	}
	if (finalization.status === "ERROR") return failure({ message: finalization.error });
	return { kind: "success", finalization };
}

function acceptText(collected: Collected, config: SubagentsConfig): Finalization | undefined {
	const complete =
		config.finalize.mode === "text" && collected.lastStop?.reason === "stop" && collected.text !== "";
	return complete ? { status: "SUCCESS", result: collected.text } : undefined;
}

function failure(parts: Partial<Extract<Verdict, { kind: "failure" }>> & { message: string }): Verdict {
	return { kind: "failure", code: "SUBAGENT_FAILED", exitCode: 1, crashed: false, ...parts };
}

function explainDeath(end: ChildEnd): string {
	return ranOutOfMemory(end) ? " It ran out of memory." : "";
}

/** V8 says so on stderr before it aborts; the signal alone would look like any other crash. */
export function ranOutOfMemory(end: ChildEnd): boolean {
	return /heap out of memory|Allocation failed - JavaScript heap/.test(end.stderrTail);
}
