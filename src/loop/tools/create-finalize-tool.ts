import { checkFinalization, FINALIZE_TOOL } from "../../contract/finalization.ts";
import type { HostNeutralTool, ToolOutcome } from "../../contract/tool.ts";

/** How a child of a delegation hands over its result. The parent reads it from the call's arguments. */
export function createFinalizeTool(): HostNeutralTool {
	return {
		name: FINALIZE_TOOL,
		label: "Finalize",
		description:
			"Hand over your final answer and end your work. Call it exactly once, at the end. SUCCESS needs result; ERROR needs error and may carry a partial result.",
		parameters: {
			type: "object",
			properties: {
				status: { type: "string", enum: ["SUCCESS", "ERROR"] },
				result: { type: "string", description: "The complete answer, in Markdown." },
				error: { type: "string", description: "Why the task could not be done." },
			},
			required: ["status"],
			additionalProperties: false,
		},
		async execute(input): Promise<ToolOutcome> {
			const checked = checkFinalization(input);
			return checked.ok
				? { text: "Accepted.", details: {}, isError: false }
				: { text: `Error: ${checked.reason}. Call ${FINALIZE_TOOL} again.`, details: {}, isError: true };
		},
	};
}
