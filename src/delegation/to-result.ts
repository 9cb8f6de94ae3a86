import { codeOf, defined, formatMebibytes, toOneLine } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import type { DelegationError } from "../contract/error-codes.ts";
import type { FailureKind } from "../contract/failure.ts";
import type { Finalization } from "../contract/finalization.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { DelegationDetails, DelegationResult, ResultChanges, SingleResult } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import { chooseOutput } from "./choose-output.ts";
import type { Collected } from "./collect-output.ts";
import { describeCut, describeFailure, describeMessage, type Failure } from "./describe-failure.ts";
import { presentResult } from "./present-result.ts";
import type { Redact } from "./redact.ts";
import { renderCall } from "./render-activity.ts";
import type { ChildOutcome } from "./run-child.ts";
import { toHostUsage } from "./to-host-usage.ts";
import { noteChanges, noteCommands, toCommandRecords } from "./to-result-changes.ts";

interface EndedRun extends ChildOutcome {
	readonly resumable: boolean;
	/** Why its session was not kept. */
	readonly notice?: string | undefined;
	/** Of a child that works in a layer. */
	readonly changes?: ResultChanges | undefined;
}

interface TextOptions {
	readonly maxResultBytes?: number | undefined;
	/** Keeps an output that is too long for the text and returns the path of its file. */
	readonly keepAnswer?: (output: RedactedText) => string;
}

/** A run that came to an end, however it did, as the one result shape. */
export function toResult(
	plan: ChildPlan,
	task: string,
	outcome: EndedRun,
	redact: Redact,
	{ maxResultBytes, keepAnswer }: TextOptions = {},
): DelegationResult {
	const { collected, verdict, resumable, changes } = outcome;
	const failed = describeFailure(verdict, collected, plan.finalize.maxCorrections);
	const output = chooseOutput(collected, verdict, redact);
	const error = failed ? describeMessage(failed, redact) : undefined;
	const status = failed ? ("ERROR" as const) : ("SUCCESS" as const);
	const notGranted = plan.notGranted.length > 0 ? plan.notGranted : undefined;
	const sessionId = resumable ? plan.session.id : undefined;
	const refused = listRefusedCalls(collected, redact);
	const tried = listTried(plan, collected, redact);
	let outputFile: string | undefined;
	const describeWhole = (): string => {
		try {
			outputFile = keepAnswer?.(output);
		} catch (thrown) {
			return `The whole could not be written to a file (${codeOf(thrown)}).`;
		}
		return outputFile === undefined ? "" : describeOutputFile(outputFile, output);
	};
	const bounded = presentResult(
		defined({
			status,
			sessionId,
			error,
			output: output || undefined,
			describeWhole,
			notes: [
				...listNotesBelow(plan, outcome, redact),
				...refused.map((call) => `Refused, not done: ${call}`),
				...(changes ? noteChanges(changes) : noteCommands(tried)),
			],
			needsPerson: failed && NEED_PERSON.includes(failed.cause.kind),
		}),
		maxResultBytes,
	);
	const single: SingleResult = defined({
		agent: plan.agent.name,
		task: redact.text(task),
		exitCode: failed?.exitCode ?? 0,
		usage: collected.usage,
		error,
		sessionFile: resumable ? plan.session.file : undefined,
		output: output || undefined,
		outputFile,
		displayItems: redact.items(collected.items),
		timeoutReason: failed?.timeoutReason,
		confinement: outcome.confinement,
		agentSource: plan.agent.source,
		model: collected.model ?? plan.model,
		failedModels: outcome.failedModels.length > 0 ? outcome.failedModels : undefined,
		thinking: plan.thinkingLevel,
		toolCalls: collected.toolCalls,
		notGranted,
		refused: refused.length > 0 ? refused : undefined,
		lastEvent: failed && collected.lastEvent,
		durationMs: outcome.durationMs,
	});
	return {
		content: [{ type: "text", text: bounded.text }],
		details: defined({
			mode: "single" as const,
			runId: plan.runId,
			results: [single],
			error: toResultError(failed, error, describeCut(bounded.truncated, outputFile, verdict), redact),
			sessionId,
			changes,
			tried,
			finalized: collected.finalization && redactFinalization(collected.finalization, redact),
		}),
		usage: toHostUsage(collected.usage),
		isError: failed !== undefined,
	};
}

function listTried({ worksInLayer }: ChildPlan, { commands }: Collected, redact: Redact) {
	return worksInLayer === "to-try" ? toCommandRecords(commands, redact) : undefined;
}

/** A key or a bill: no call of a model mends them. */
const NEED_PERSON: readonly FailureKind[] = ["unauthorized", "quota_exceeded"];

function listNotesBelow(
	{ agent, notGranted }: ChildPlan,
	{ failedModels, collected, notice }: EndedRun,
	redact: Redact,
): readonly string[] {
	const failed = failedModels.map(({ model = "The first model", cause }) => `${model} (${cause.kind})`);
	return [
		...(notice === undefined ? [] : [redact.text(notice)]),
		...(notGranted.length > 0 ? [`Not granted to ${agent.name}: ${notGranted.join(", ")}.`] : []),
		...(failed.length > 0
			? [
					redact.text(
						`Not available: ${failed.join(", ")}. The run went on with ${collected.model ?? "another model"}.`,
					),
				]
			: []),
	];
}

const MAX_REFUSAL_CHARS = 300;

/** A child may claim what it could not do. */
function listRefusedCalls({ blockedCalls }: Collected, redact: Redact): readonly RedactedText[] {
	return blockedCalls.map(({ name, args, reason }) =>
		redact.head(toOneLine(`${renderCall(name, redact.args(args))}: ${reason}`), MAX_REFUSAL_CHARS),
	);
}

function describeOutputFile(file: string, output: string): string {
	const isWhole = output.length < LIMITS.maxOutputChars;
	const what = isWhole ? "The whole is" : `The first ${formatMebibytes(Buffer.byteLength(output))} are`;
	return `${what} in ${file}: read that file, or let an agent read it.`;
}

/** A refusal before anything ran. */
export function toRefusedResult(error: DelegationError, redact: Redact): DelegationResult {
	const message = redact.text(error.message);
	const management = error.code === "SUBAGENT_DEPTH_EXCEEDED" || error.code === "SUBAGENTS_DISABLED";
	return {
		content: [{ type: "text", text: presentResult({ status: "ERROR", error: message }).text }],
		details: {
			mode: management ? "management" : "single",
			results: [],
			error: defined({ code: error.code, message, cause: error.failureCause }),
		},
		usage: toHostUsage(NO_USAGE),
		isError: true,
	};
}

function toResultError(
	failed: Failure | undefined,
	error: RedactedText | undefined,
	cut: string | undefined,
	redact: Redact,
): DelegationDetails["error"] {
	if (failed && error) return { code: failed.code, message: error, cause: failed.cause };
	return cut === undefined ? undefined : { code: "SUBAGENT_OUTPUT_TRUNCATED", message: redact.text(cut) };
}

function redactFinalization(
	finalization: Finalization,
	redact: Redact,
): NonNullable<DelegationDetails["finalized"]> {
	const { status, result } = finalization;
	return defined({
		status,
		data: status === "SUCCESS" ? redact.data(finalization.data) : undefined,
		result: result ? redact.head(result, LIMITS.maxOutputChars) : undefined,
		error: status === "ERROR" ? redact.text(finalization.error) : undefined,
	});
}
