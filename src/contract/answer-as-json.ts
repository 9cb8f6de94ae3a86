import { ToolError } from "@deputize/ground";
import type { ToolOutcome } from "./tool.ts";

/** The reply of the tools of seed 004: one JSON object as text. */
export function toJsonReply(fields: Readonly<Record<string, unknown>>): ToolOutcome {
	return { text: JSON.stringify(fields), details: fields, isError: false };
}

/** Runs the body of such a tool; what it refuses becomes `{error}`, the form that contract gives a refusal. */
export async function answerAsJson(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ToolError)) throw error;
		return { ...toJsonReply({ error: error.message }), isError: true };
	}
}
