import { defined } from "@deputize/ground";
import type {
	AgentToolResult,
	ExtensionAPI,
	ExtensionContext,
	ToolDefinition,
} from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import type { HostNeutralTool, ToolImage } from "../../../contract/tool.ts";
import type { MarkError } from "../mark-errors.ts";

/** How the model is shown a picture: pi knows what each model takes. */
export type ShowImage = (
	image: ToolImage,
	context: ExtensionContext,
) => Promise<AgentToolResult<unknown>["content"]>;

type DrawCall = NonNullable<ToolDefinition["renderCall"]>;

/** Offers one of this package's tools through pi, in a parent and in a child alike. */
export function registerHostNeutralTool(
	pi: ExtensionAPI,
	tool: HostNeutralTool,
	options: {
		readonly markError: MarkError;
		readonly renderCall?: DrawCall;
		readonly showImage?: ShowImage;
	},
): void {
	pi.registerTool({
		name: tool.name,
		label: tool.label,
		description: tool.description,
		parameters: tool.parameters as TSchema,
		...defined({ renderCall: options.renderCall }),
		async execute(toolCallId, params, signal, onUpdate, context) {
			const outcome = await tool.execute(params, {
				cwd: context.cwd,
				signal: signal ?? new AbortController().signal,
				onProgress: (line) => onUpdate?.({ content: [{ type: "text", text: line }], details: {} }),
			});
			if (outcome.isError) options.markError(toolCallId);
			const [image] = outcome.images ?? [];
			return {
				content:
					image && options.showImage
						? await options.showImage(image, context)
						: [{ type: "text", text: outcome.text }],
				details: outcome.details,
				...defined({ isError: outcome.isError || undefined }),
			};
		},
	});
}
