import { spellDuration } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { LIMITS } from "../contract/limits.ts";
import type { BoundedText, DelegationUpdate } from "../contract/result.ts";
import { layOut, renderHeader } from "./present-result.ts";
import { renderActivity, renderCall } from "./render-activity.ts";

interface RunningParts {
	readonly agent: string;
	readonly sessionId: string;
	readonly elapsedMs: number;
	/** The newest one; its texts are redacted. */
	readonly update: DelegationUpdate;
	/** How to get the answer: the last line. */
	readonly howToGoOn: string;
}

/** The text for a run that goes on after its call was answered: what it is doing, and what there is so far. */
export function presentRunning(parts: RunningParts, maxBytes: number = LIMITS.resultBytes): BoundedText {
	const { agent, sessionId, elapsedMs, update, howToGoOn } = parts;
	const doing = renderActivity(update.details.streaming);
	const presented = layOut(
		{
			header: renderHeader("RUNNING", sessionId),
			before: [`${agent} has been working for ${spellDuration(elapsedMs)}${doing ? `: ${doing}` : "."}`],
			label: "So far:\n\n",
			output: renderSoFar(update),
			after: [howToGoOn],
		},
		maxBytes,
	);
	return presented.text;
}

function renderSoFar(update: DelegationUpdate): RedactedText | undefined {
	const calls = (update.details.streaming?.displayItems ?? [])
		.filter((item) => item.type === "toolCall")
		.map((item) => `- ${renderCall(item.name, item.args)}${item.isError ? " (failed)" : ""}`);
	const text = update.content[0].text.trim();
	const parts = [...(calls.length > 0 ? [calls.join("\n")] : []), ...(text === "" ? [] : [text])];
	// Both were redacted for the update.
	return parts.length === 0 ? undefined : (parts.join("\n\n") as RedactedText);
}
