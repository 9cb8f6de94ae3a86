import { FINALIZE_TOOL } from "../../contract/finalization.ts";
import type { HostNeutralTool, ToolOutcome } from "../../contract/tool.ts";
import { asObject, asText } from "../providers/provider.ts";

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
			const problem = checkFinalization(input);
			return problem === undefined
				? { text: "Accepted.", details: {}, isError: false }
				: { text: `Error: ${problem}`, details: {}, isError: true };
		},
	};
}

function checkFinalization(input: unknown): string | undefined {
	const { status, result, error } = asObject(input);
	if (status === "SUCCESS") {
		return asText(result).trim() === ""
			? "SUCCESS needs a non-empty result. Call again with your answer."
			: undefined;
	}
	if (status === "ERROR") {
		return asText(error).trim() === ""
			? "ERROR needs a non-empty error. Call again with the reason."
			: undefined;
	}
	return 'status must be "SUCCESS" or "ERROR".';
}
