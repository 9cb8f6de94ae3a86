import { existsSync } from "node:fs";
import type { DelegationError, SubagentErrorCode } from "../contract/error-codes.ts";
import type { Finalization } from "../contract/finalization.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type {
	DelegationDetails,
	DelegationResult,
	HostUsage,
	RedactedText,
	SingleResult,
} from "../contract/result.ts";
import { NO_USAGE, type Usage } from "../contract/usage.ts";
import { truncateOutput } from "../text/truncate-output.ts";
import type { Collected } from "./collect-output.ts";
import type { Verdict } from "./judge-attempt.ts";
import { presentResult } from "./present-result.ts";
import type { Redact } from "./redact.ts";
import type { ChildOutcome } from "./run-child.ts";

/** A run that came to an end, however it did, as the one result shape. */
export function toResult(
	plan: ChildPlan,
	task: string,
	outcome: ChildOutcome,
	redact: Redact,
): DelegationResult {
	const { collected, verdict } = outcome;
	const failed = describeFailure(verdict);
	const output = redact.head(chooseOutput(collected, verdict), LIMITS.maxOutputChars);
	const error = failed ? describeMessage(failed, redact) : undefined;
	const resumable = existsSync(plan.session.file);
	const status = failed ? "ERROR" : "SUCCESS";
	const bounded = truncateOutput(
		presentResult({
			status,
			sessionId: plan.session.id,
			...(error ? { error } : {}),
			...(output ? { output } : {}),
			resumable,
		}),
	);
	const single: SingleResult = {
		agent: plan.agent.name,
		task: redact.text(task),
		exitCode: failed?.exitCode ?? 0,
		usage: collected.usage,
		...(error ? { error } : {}),
		...(resumable ? { sessionFile: plan.session.file } : {}),
		...(output ? { output } : {}),
		displayItems: redact.items(collected.items),
		...(failed?.timeoutReason ? { timeoutReason: failed.timeoutReason } : {}),
		confinement: outcome.confinement,
		agentSource: plan.agent.source,
		durationMs: outcome.durationMs,
	};
	const truncated = bounded.truncated || (verdict.kind === "success" && verdict.skippedOutput);
	return {
		content: [{ type: "text", text: bounded.text }],
		details: {
			mode: "single",
			runId: plan.runId,
			results: [single],
			...describeError(failed, error, truncated, redact),
			sessionId: plan.session.id,
			...(collected.finalization ? { finalized: redactFinalization(collected.finalization, redact) } : {}),
		},
		usage: toHostUsage(collected.usage),
		isError: failed !== undefined,
	};
}

/** A refusal before anything ran. */
export function toRefusal(error: DelegationError, redact: Redact): DelegationResult {
	const message = redact.text(error.message);
	const management = error.code === "SUBAGENT_DEPTH_EXCEEDED" || error.code === "SUBAGENTS_DISABLED";
	return {
		content: [
			{
				type: "text",
				text: truncateOutput(presentResult({ status: "ERROR", error: message, resumable: false })).text,
			},
		],
		details: {
			mode: management ? "management" : "single",
			results: [],
			error: { code: error.code, message },
		},
		usage: toHostUsage(NO_USAGE),
		isError: true,
	};
}

interface Failure {
	readonly code: SubagentErrorCode;
	readonly exitCode: number;
	readonly message: string;
	readonly stderrTail?: string;
	readonly timeoutReason?: "runtime" | "idle";
}

function describeFailure(verdict: Verdict): Failure | undefined {
	if (verdict.kind === "success") return undefined;
	if (verdict.kind === "failure") return verdict;
	return {
		code: "SUBAGENT_FAILED",
		exitCode: 1,
		message: `The child ended without handing over its answer: ${verdict.reason}, also after it was told to.`,
	};
}

const QUOTED_STDERR_CHARS = 2000;

function describeMessage({ message, stderrTail = "" }: Failure, redact: Redact): RedactedText {
	const quoted = redact.tail(stderrTail.trim(), QUOTED_STDERR_CHARS);
	const said = redact.text(message);
	return quoted === "" ? said : (`${said}\n\nIts last error output:\n${quoted}` as RedactedText);
}

/** Nothing the child said is thrown away: what it handed over, else the last thing it wrote. */
function chooseOutput(collected: Collected, verdict: Verdict): string {
	if (verdict.kind === "success")
		return verdict.finalization.status === "SUCCESS" ? verdict.finalization.result : "";
	return collected.finalization?.result ?? (collected.unfinishedText.trim() || collected.text);
}

function describeError(
	failed: Failure | undefined,
	error: RedactedText | undefined,
	truncated: boolean,
	redact: Redact,
): Pick<DelegationDetails, "error"> {
	if (failed && error) return { error: { code: failed.code, message: error } };
	if (!truncated) return {};
	const message = redact.text(
		"The output was too long and was truncated; details.results[0].output holds what was kept.",
	);
	return { error: { code: "SUBAGENT_OUTPUT_TRUNCATED", message } };
}

function redactFinalization(
	finalization: Finalization,
	redact: Redact,
): NonNullable<DelegationDetails["finalized"]> {
	const { status, result } = finalization;
	return {
		status,
		...(result ? { result: redact.head(result, LIMITS.maxOutputChars) } : {}),
		...(status === "ERROR" ? { error: redact.text(finalization.error) } : {}),
	};
}

function toHostUsage(usage: Usage): HostUsage {
	const { input, output, cacheRead, cacheWrite, cost } = usage;
	return {
		input,
		output,
		cacheRead,
		cacheWrite,
		totalTokens: input + output + cacheRead + cacheWrite,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
	};
}
