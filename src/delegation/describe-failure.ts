import { formatCount, formatMebibytes } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { LIMITS } from "../contract/limits.ts";
import type { Collected } from "./collect-output.ts";
import type { Verdict } from "./judge-attempt.ts";
import type { Redact } from "./redact.ts";

/** Why a run failed, in words that are not redacted yet. */
export type Failure = Omit<Extract<Verdict, { kind: "failure" }>, "kind" | "crashed" | "lostOutput">;

export function describeFailure(
	verdict: Verdict,
	collected: Collected,
	maxCorrections: number,
): Failure | undefined {
	if (verdict.kind === "success") return undefined;
	const lost = verdict.lostOutput
		? ` ${describeLostLine(verdict.lostOutput)} That may be what is missing here.`
		: "";
	if (verdict.kind === "failure") return { ...verdict, message: `${verdict.message}${lost}` };
	return {
		code: "SUBAGENT_FAILED",
		exitCode: 1,
		cause: { kind: "not_finalized" },
		message: `${describeMissingHandover(verdict.reason, collected, maxCorrections)}${lost}`,
	};
}

function describeLostLine(lost: string): string {
	return `The child wrote ${lost}, which is more than can be read at once (${formatMebibytes(LIMITS.maxLineBytes)}) and was skipped.`;
}

/** Only what is missing from the answer is worth a word. */
export function describeCut(
	truncated: boolean,
	outputFile: string | undefined,
	verdict: Verdict,
): string | undefined {
	if (verdict.lostOutput !== undefined) return describeLostLine(verdict.lostOutput);
	return truncated
		? `The output was too long for the text and was truncated there; ${outputFile ?? "details.results[0].output"} contains what was kept.`
		: undefined;
}

function describeMissingHandover(
	reason: string,
	{ corrections, texts, refusedWords }: Collected,
	maxCorrections: number,
): string {
	// The last refusal is not a correction: nothing came after it.
	const told = Math.min(corrections, maxCorrections);
	const tries = told > 0 ? `, also after ${formatCount(told, "correction")}` : "";
	const problem = `The child ended without handing over its answer: ${reason}${tries}.`;
	if (refusedWords !== undefined) return `${problem} What it wanted to hand over is in the output.`;
	return texts.length === 0
		? problem
		: `${problem} What it wrote is in the output. To accept plain text as the answer, set subagents.finalize.mode to "text" in deputize.json.`;
}

const QUOTED_STDERR_CHARS = 2000;

/** pi advises an option of its own, which deputize does not have. */
function nameProgram(text: string): string {
	return text.replaceAll("Use --list-models", "Use pi --list-models");
}

export function describeMessage({ message, stderrTail = "" }: Failure, redact: Redact): RedactedText {
	const quoted = redact.excerpt(nameProgram(stderrTail), QUOTED_STDERR_CHARS).trim();
	const said = redact.text(message);
	return quoted === "" ? said : (`${said}\n\nIts last error output:\n${quoted}` as RedactedText);
}
