import type { AgentToolUpdateCallback, ExtensionAPI, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import type { HostNeutralTool, ToolContext } from "../../../contract/tool.ts";
import type { MarkError } from "../mark-errors.ts";

export type DrawCall = NonNullable<ToolDefinition["renderCall"]>;

/** Offers one of this package's tools through pi, in a parent and in a child alike. */
export function registerHostNeutralTool(
	pi: ExtensionAPI,
	tool: HostNeutralTool,
	options: { readonly markError: MarkError; readonly renderCall?: DrawCall },
): void {
	pi.registerTool({
		name: tool.name,
		label: tool.label,
		description: tool.description,
		parameters: tool.parameters as TSchema,
		...(options.renderCall ? { renderCall: options.renderCall } : {}),
		async execute(toolCallId, params, signal, onUpdate, context) {
			const outcome = await tool.execute(params, toToolContext(context.cwd, signal, onUpdate));
			if (outcome.isError) options.markError(toolCallId);
			return {
				content: [{ type: "text", text: outcome.text }],
				details: outcome.details,
				...(outcome.isError ? { isError: true } : {}),
			};
		},
	});
}

function toToolContext(
	cwd: string,
	signal: AbortSignal | undefined,
	onUpdate: AgentToolUpdateCallback<unknown> | undefined,
): ToolContext {
	return {
		cwd,
		signal: signal ?? new AbortController().signal,
		onProgress: (line) => onUpdate?.({ content: [{ type: "text", text: line }], details: {} }),
	};
}
