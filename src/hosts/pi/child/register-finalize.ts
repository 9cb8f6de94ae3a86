import { joinTextBlocks } from "@deputize/ground";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import {
	addDataParameter,
	CORRECTION_MESSAGE,
	checkFinalization,
	describeCorrection,
	FINALIZE_TOOL,
	NEVER_CALLED,
} from "../../../contract/finalization.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";

const PARAMETERS = {
	type: "object",
	properties: {
		status: { type: "string", enum: ["SUCCESS", "ERROR"] },
		result: { type: "string", description: "The complete answer. Required for SUCCESS." },
		error: { type: "string", description: "Why the task could not be done. Required for ERROR." },
	},
	required: ["status"],
};

/** How a child hands over, and what reminds it when it settles without having done so. */
export async function registerFinalize(
	pi: ExtensionAPI,
	grant: Pick<ChildGrant, "finalize" | "output">,
): Promise<void> {
	const { output } = grant;
	const checkData = output && (await (await import("@deputize/ground")).createValidator(output));
	// pi may coerce types before the tool sees them; the parent judges what the model wrote.
	const written = new Map<string, unknown>();
	pi.on("tool_execution_start", (event) => {
		if (event.toolName === FINALIZE_TOOL) written.set(event.toolCallId, event.args);
	});
	let finalized = false;
	let problem = NEVER_CALLED;
	let corrections = 0;
	let longestText = "";

	pi.registerTool({
		name: FINALIZE_TOOL,
		label: "Finalize",
		description: "Hand over the result of the delegated task. Your last action.",
		parameters: (output ? addDataParameter(PARAMETERS, output) : PARAMETERS) as TSchema,
		executionMode: "sequential",
		async execute(id, params) {
			const checked = checkFinalization(written.get(id) ?? params, checkData);
			written.delete(id);
			if (!checked.ok) {
				problem = checked.reason;
				corrections += 1;
				const refusal = `Not accepted: ${checked.reason}.`;
				if (corrections <= grant.finalize.maxCorrections) {
					throw new Error(`${refusal} Call ${FINALIZE_TOOL} again with it corrected.`);
				}
				// An error would cost another turn. The parent checks the arguments itself and does not count this as a handover.
				return { content: [{ type: "text", text: refusal }], details: {}, terminate: true };
			}
			finalized = true;
			// Ends the run here: another turn would only cost money.
			return { content: [{ type: "text", text: "Handed over." }], details: {}, terminate: true };
		},
	});

	pi.on("agent_start", () => {
		finalized = false;
	});
	pi.on("message_end", ({ message }) => {
		if (message.role !== "assistant") return;
		const text = joinTextBlocks(message.content);
		if (text.length >= longestText.length) longestText = text;
	});
	pi.on("agent_before_settle", (event) => {
		const done = finalized || grant.finalize.mode === "text" || event.outcome !== "completed";
		if (done || corrections >= grant.finalize.maxCorrections) return undefined;
		corrections += 1;
		const content = describeCorrection(problem, longestText, output ? "data" : "result");
		return {
			entries: [{ type: "custom_message", customType: CORRECTION_MESSAGE, content, display: false }],
			continue: true,
		};
	});
}
