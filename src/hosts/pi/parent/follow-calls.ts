import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";
import type { PrestartedChildren } from "./prestarted-children.ts";

export interface FollowedCalls {
	/** The arguments of a call as the model wrote them, before anything changed them. */
	takeArguments(toolCallId: string): unknown;
}

/**
 * Watches calls of the tool from their first fragment to their end. Nothing here waits: pi awaits its
 * handlers, and waiting for a child to boot would delay the very text that is streaming.
 */
export function followCalls(
	pi: ExtensionAPI,
	prestarted: PrestartedChildren | undefined,
	onFirstSign: () => void = () => undefined,
): FollowedCalls {
	const written = new Map<string, unknown>();
	pi.on("tool_execution_start", (event) => {
		if (event.toolName === SUBAGENT_TOOL) written.set(event.toolCallId, event.args);
	});
	pi.on("tool_execution_end", (event) => {
		written.delete(event.toolCallId);
		prestarted?.drop(event.toolCallId);
	});
	if (prestarted) followFragments(pi, prestarted, onFirstSign);
	return { takeArguments: (toolCallId) => written.get(toolCallId) };
}

function followFragments(pi: ExtensionAPI, prestarted: PrestartedChildren, onFirstSign: () => void): void {
	pi.on("message_update", (event) => {
		const fragment = event.assistantMessageEvent;
		const isStart = fragment.type === "toolcall_start";
		if (!isStart && fragment.type !== "toolcall_delta" && fragment.type !== "toolcall_end") return;
		const block = fragment.partial.content[fragment.contentIndex];
		if (!isSubagentCall(block)) return;
		if (isStart) onFirstSign();
		prestarted.follow({
			contentIndex: fragment.contentIndex,
			arguments: block.arguments ?? {},
			complete: fragment.type === "toolcall_end",
		});
	});
	pi.on("message_end", (event) => {
		if (event.message.role === "assistant") prestarted.assign(listCalls(event.message));
	});
	pi.on("agent_end", async () => prestarted.dropAll());
}

/** A message that broke off has calls that will never run. */
function listCalls({ content, stopReason }: AssistantMessage): ReadonlyMap<number, string> {
	const complete = stopReason !== "aborted" && stopReason !== "error";
	const calls = content.flatMap((block, index): [number, string][] =>
		complete && isSubagentCall(block) ? [[index, block.id]] : [],
	);
	return new Map(calls);
}

function isSubagentCall(block: AssistantMessage["content"][number] | undefined): block is ToolCall {
	return block?.type === "toolCall" && block.name === SUBAGENT_TOOL;
}
