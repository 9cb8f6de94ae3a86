import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** Marks the result of a tool call as an error for the model. */
export type MarkError = (toolCallId: string) => void;

/**
 * Before 1.0 pi ignores `isError` on a returned result, and a thrown error loses details and usage. What a
 * handler of `tool_result` says counts on every version, so a failed call is noted here and marked there.
 */
export function createErrorMarker(pi: ExtensionAPI): MarkError {
	const failed = new Set<string>();
	pi.on("tool_result", (event) => (failed.delete(event.toolCallId) ? { isError: true } : undefined));
	return (toolCallId) => {
		failed.add(toolCallId);
	};
}
