import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { ChildPool, Hint } from "../../../children/child-pool.ts";
import { SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";

/**
 * Watches calls of the tool from their first fragment to their end. Nothing here waits: pi awaits its
 * handlers, and waiting for a child to boot would delay the very text that is streaming.
 */
export function followCalls(
	pi: ExtensionAPI,
	pool: Pick<ChildPool, "hint"> | undefined,
	onFirstSign: () => void = () => undefined,
) {
	const written = new Map<string, unknown>();
	const hints = new Map<string, Hint>();
	pi.on("tool_execution_start", (event) => {
		if (event.toolName === SUBAGENT_TOOL) written.set(event.toolCallId, event.args);
	});
	pi.on("tool_execution_end", (event) => {
		written.delete(event.toolCallId);
		hints.get(event.toolCallId)?.drop();
		hints.delete(event.toolCallId);
	});
	if (pool) followFragments(pi, pool, hints, onFirstSign);
	return {
		/** The arguments of a call as the model wrote them, before anything changed them. */
		readArguments: (toolCallId: string): unknown => written.get(toolCallId),
		/** What the pool was told about a call while it was being written. */
		readHint: (toolCallId: string): Hint | undefined => hints.get(toolCallId),
	};
}

/** A call has no name but its position in the message before that is complete. */
function followFragments(
	pi: ExtensionAPI,
	pool: Pick<ChildPool, "hint">,
	hints: Map<string, Hint>,
	onFirstSign: () => void,
): void {
	const unnamed = new Map<number, Hint>();
	pi.on("message_update", (event) => {
		const fragment = event.assistantMessageEvent;
		const isStart = fragment.type === "toolcall_start";
		if (!isStart && fragment.type !== "toolcall_delta" && fragment.type !== "toolcall_end") return;
		const { contentIndex } = fragment;
		const block = fragment.partial.content[contentIndex];
		if (!isSubagentCall(block)) return;
		if (isStart) onFirstSign();
		const agent = parseCertainAgent(block.arguments ?? {}, fragment.type === "toolcall_end");
		if (agent !== undefined && !unnamed.has(contentIndex)) unnamed.set(contentIndex, pool.hint(agent));
	});
	pi.on("message_end", ({ message }) => {
		if (message.role !== "assistant") return;
		// A message that broke off has calls that will never run.
		const isComplete = message.stopReason !== "aborted" && message.stopReason !== "error";
		for (const [contentIndex, hint] of unnamed) {
			const block = message.content[contentIndex];
			if (isComplete && isSubagentCall(block)) hints.set(block.id, hint);
			else hint.drop();
		}
		unnamed.clear();
	});
	pi.on("agent_end", () => {
		for (const hint of [...unnamed.values(), ...hints.values()]) hint.drop();
		unnamed.clear();
		hints.clear();
	});
}

/**
 * The agent's name, once it can no longer grow: the next field has begun. A call that goes on with a session
 * gets no child ahead of it, because which session that is decides how the child is started.
 */
export function parseCertainAgent(
	args: Readonly<Record<string, unknown>>,
	isComplete: boolean,
): string | undefined {
	const agent = args["agent"];
	if (typeof agent !== "string" || agent === "" || "sessionId" in args) return undefined;
	const mayGrow = !isComplete && Object.keys(args).at(-1) === "agent";
	return mayGrow ? undefined : agent;
}

function isSubagentCall(block: AssistantMessage["content"][number] | undefined): block is ToolCall {
	return block?.type === "toolCall" && block.name === SUBAGENT_TOOL;
}
