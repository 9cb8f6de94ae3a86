import { createValidator } from "@deputize/ground";
import { addDataParameter, checkFinalization, FINALIZE_TOOL } from "../../contract/finalization.ts";
import type { HostNeutralTool, JsonSchema, ToolOutcome } from "../../contract/tool.ts";

const PARAMETERS = {
	type: "object",
	properties: {
		status: { type: "string", enum: ["SUCCESS", "ERROR"] },
		result: { type: "string", description: "The complete answer, in Markdown." },
		error: { type: "string", description: "Why the task could not be done." },
	},
	required: ["status"],
	additionalProperties: false,
};

/** How a child of a delegation hands over its result. The parent reads it from the call's arguments. */
export async function createFinalizeTool(output?: JsonSchema): Promise<HostNeutralTool> {
	const checkData = output && (await createValidator(output));
	return {
		name: FINALIZE_TOOL,
		label: "Finalize",
		description:
			"Hand over your final answer and end your work. Call it exactly once, at the end. SUCCESS needs result; ERROR needs error and may carry a partial result.",
		parameters: output ? addDataParameter(PARAMETERS, output) : PARAMETERS,
		async execute(input): Promise<ToolOutcome> {
			const checked = checkFinalization(input, checkData);
			return checked.ok
				? { text: "Accepted.", details: {}, isError: false }
				: { text: `Error: ${checked.reason}. Call ${FINALIZE_TOOL} again.`, details: {}, isError: true };
		},
	};
}
