import { asObject, defined } from "@deputize/ground";
import type { HostNeutralTool, ToolContext, ToolOutcome } from "../../contract/tool.ts";
import { EXEC_TOOL_NAMES } from "../../toolbox/tool-rows.ts";
import { type CallSubagentContext, type CallSubagentRequest, callSubagent } from "./call-subagent.ts";

/** `call_subagent` for any host that takes tools, such as an MCP server. Called without a host's context, it gives the answer alone. */
export function createCallSubagentTool(
	context: CallSubagentContext | undefined,
): HostNeutralTool & { execute(input: unknown): Promise<string> } {
	async function execute(input: unknown): Promise<string>;
	async function execute(input: unknown, call: ToolContext): Promise<ToolOutcome>;
	async function execute(input: unknown, call?: ToolContext): Promise<string | ToolOutcome> {
		const { prompt, system_prompt: systemPrompt, tool_subset: toolSubset } = asObject(input);
		// Checked where it is used, for callers without types.
		const request = { prompt, systemPrompt, toolSubset } as CallSubagentRequest;
		const place = defined({ cwd: call?.cwd, ...context, signal: call?.signal ?? context?.signal });
		const text = await callSubagent(request, context && { ...context, ...place });
		return call === undefined ? text : { text, details: {}, isError: text.startsWith("Error: ") };
	}
	return {
		name: "call_subagent",
		label: "Call subagent",
		description:
			"Give a self-contained task to a subagent with the same model and get its answer. It sees nothing but the prompt.",
		parameters: {
			type: "object",
			properties: {
				prompt: {
					type: "string",
					minLength: 1,
					description: "The whole task, with everything needed to do it.",
				},
				system_prompt: { type: "string", description: "The role the subagent plays." },
				tool_subset: {
					type: "array",
					items: { type: "string", enum: EXEC_TOOL_NAMES },
					description: "Tools the subagent may use; none when left out.",
				},
			},
			required: ["prompt"],
			additionalProperties: false,
		},
		execute,
	};
}
