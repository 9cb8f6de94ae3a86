import { defined, finishSteps } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import type { Surroundings } from "../../../../config/read-surroundings.ts";
import type { DelegationDetails } from "../../../../contract/result.ts";
import { presentResult } from "../../../../delegation/present-result.ts";
import { readRunDetail } from "../../../../runs/read-run-detail.ts";
import type { BackgroundRecord } from "./background-records.ts";

const LOST = "pi ended while this child was at work, and the child ended with it.";

/** The result of a run whose pi was killed: what it had written is still known, and it can be continued. */
export function describeLostRun(
	record: Pick<BackgroundRecord, "runId" | "sessionId">,
	surroundings: Surroundings,
): NonNullable<BackgroundRecord["result"]> {
	const detail = finishSteps(readRunDetail(surroundings, record.runId));
	const written = detail?.entries
		.flatMap((entry) => (entry.kind === "text" ? [entry.text] : []))
		.join("\n\n");
	// Both come redacted from the files of the run.
	const error = LOST as RedactedText;
	const output = (written || undefined) as RedactedText | undefined;
	const details: DelegationDetails = {
		mode: "single",
		runId: record.runId,
		sessionId: record.sessionId,
		results: [],
		error: {
			code: "SUBAGENT_FAILED",
			// A card has no other place for what was written.
			message: (output ? `${LOST}\n\n${output}` : LOST) as RedactedText,
			cause: { kind: "crashed" },
		},
	};
	const parts = defined({ status: "ERROR" as const, sessionId: record.sessionId, error, output });
	return { text: presentResult(parts).text, isError: true, details };
}
