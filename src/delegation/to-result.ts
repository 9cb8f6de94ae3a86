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
import { chooseOutput } from "./choose-output.ts";
import type { Collected } from "./collect-output.ts";
import type { Verdict } from "./judge-attempt.ts";
import { presentResult } from "./present-result.ts";
import type { Redact } from "./redact.ts";
import type { ChildOutcome } from "./run-child.ts";

/** A run that came to an end, however it did, as the one result shape. */
export function toResult(
	plan: ChildPlan,
	task: string,
	outcome: ChildOutcome & { readonly resumable: boolean },
	redact: Redact,
): DelegationResult {
	const { collected, verdict, resumable } = outcome;
	const failed = describeFailure(verdict, collected);
	const output = chooseOutput(collected, verdict, redact);
	const error = failed ? describeMessage(failed, redact) : undefined;
	const status = failed ? "ERROR" : "SUCCESS";
	const bounded = presentResult({
		status,
		...(resumable ? { sessionId: plan.session.id } : {}),
		...(error ? { error } : {}),
		...(output ? { output } : {}),
	});
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
	return {
		content: [{ type: "text", text: bounded.text }],
		details: {
			mode: "single",
			runId: plan.runId,
			results: [single],
			...describeError(failed, error, describeCut(bounded.truncated, verdict), redact),
			...(resumable ? { sessionId: plan.session.id } : {}),
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
				text: presentResult({ status: "ERROR", error: message }).text,
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

function describeFailure(verdict: Verdict, collected: Collected): Failure | undefined {
	if (verdict.kind === "success") return undefined;
	const lost = verdict.lostOutput
		? ` ${describeLost(verdict.lostOutput)} That may be what is missing here.`
		: "";
	if (verdict.kind === "failure") return { ...verdict, message: `${verdict.message}${lost}` };
	return {
		code: "SUBAGENT_FAILED",
		exitCode: 1,
		message: `${describeMissingHandover(verdict.reason, collected)}${lost}`,
	};
}

function describeLost(lost: string): string {
	return `The child wrote ${lost}, which is more than can be read at once (${LIMITS.maxLineBytes / 1024 / 1024} MiB) and was skipped.`;
}

/** Only what is missing from the answer is worth a word. */
function describeCut(truncated: boolean, verdict: Verdict): string | undefined {
	if (verdict.lostOutput !== undefined) return describeLost(verdict.lostOutput);
	return truncated
		? "The output was too long and was truncated; details.results[0].output contains what was kept."
		: undefined;
}

function describeMissingHandover(reason: string, { corrections, texts }: Collected): string {
	const tries = corrections === 1 ? "1 correction" : `${corrections} corrections`;
	const problem = `The child ended without handing over its answer: ${reason}${corrections > 0 ? `, also after ${tries}` : ""}.`;
	return texts.length === 0
		? problem
		: `${problem} What it wrote is in the output. To accept plain text as the answer, set subagents.finalize.mode to "text" in deputize.json.`;
}

const QUOTED_STDERR_CHARS = 2000;

function describeMessage({ message, stderrTail = "" }: Failure, redact: Redact): RedactedText {
	const quoted = redact.excerpt(stderrTail, QUOTED_STDERR_CHARS).trim();
	const said = redact.text(message);
	return quoted === "" ? said : (`${said}\n\nIts last error output:\n${quoted}` as RedactedText);
}

function describeError(
	failed: Failure | undefined,
	error: RedactedText | undefined,
	cut: string | undefined,
	redact: Redact,
): Pick<DelegationDetails, "error"> {
	if (failed && error) return { error: { code: failed.code, message: error } };
	return cut === undefined ? {} : { error: { code: "SUBAGENT_OUTPUT_TRUNCATED", message: redact.text(cut) } };
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
