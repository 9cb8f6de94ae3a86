import { defined, type JsonObject } from "@deputize/ground";
import type { DelegationResult } from "../../contract/result.ts";

/**
 * Text only: of text beside structured content three of five clients give their model the JSON alone, or both. Facts for
 * programs are in `_meta`, and on success only, because one client quotes the whole of a failed result to its model.
 */
export function toToolResult({ content, details, isError }: DelegationResult): JsonObject {
	if (isError) return { content, isError };
	const single = details.results[0];
	return {
		content,
		_meta: {
			"deputize/result": defined({
				status: "SUCCESS",
				runId: details.runId,
				sessionId: details.sessionId,
				agent: single?.agent,
				agentSource: single?.agentSource,
				model: single?.model,
				confinement: single?.confinement,
				notGranted: single?.notGranted,
				changes: details.changes,
				tried: details.tried,
				usage: single?.usage,
				durationMs: single?.durationMs,
				truncated: details.error?.code === "SUBAGENT_OUTPUT_TRUNCATED" || undefined,
			}),
		},
	};
}
