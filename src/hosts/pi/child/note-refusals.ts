import { asList, asObject, joinTextBlocks } from "@deputize/ground";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { REFUSED_ENTRY } from "../../../contract/child-question.ts";

const MAX_REASON_CHARS = 500;

/** Tells the parent of calls that were not made. pi says only that they failed; but a call that was made has a `tool_result`. */
export function noteRefusals(pi: ExtensionAPI): void {
	const open = new Set<string>();
	pi.on("tool_call", ({ toolCallId }) => void open.add(toolCallId));
	pi.on("tool_result", ({ toolCallId }) => void open.delete(toolCallId));
	pi.on("tool_execution_end", ({ toolCallId, toolName, isError, result }) => {
		if (!open.delete(toolCallId) || !isError) return;
		const reason = joinTextBlocks(asList(asObject(result)["content"]) as never).slice(0, MAX_REASON_CHARS);
		pi.appendEntry(REFUSED_ENTRY, { id: toolCallId, name: toolName, reason });
	});
}
