import { messageOf } from "@deputize/ground";
import type { NavigatorStep } from "@deputize/navigator";
import type {
	Api,
	AssistantMessage,
	AssistantMessageEventStream,
	Model,
	ToolCall,
	TranscriptContext,
} from "@earendil-works/pi-ai";
import { FINALIZE_TOOL } from "../../../contract/finalization.ts";
import type { Navigator } from "../../../navigator/create-navigator.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { toNavigatorInput } from "./to-navigator-input.ts";

const NO_USAGE = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** One "model turn" of the navigator: the transcript in, tool calls or the handover out. */
export function answerOffline(
	model: Model<Api>,
	context: TranscriptContext,
	{ grant, navigator }: { readonly grant: ChildGrant; readonly navigator: Pick<Navigator, "plan"> },
	stream: AssistantMessageEventStream,
): AssistantMessageEventStream {
	// Never rejects: what goes wrong becomes a message.
	void buildMessage(model, context, grant, navigator).then((message) => {
		stream.push({ type: "start", partial: { ...message, content: [] } });
		for (const [contentIndex, block] of message.content.entries())
			pushBlock(stream, message, contentIndex, block);
		if (message.stopReason === "error") stream.push({ type: "error", reason: "error", error: message });
		else stream.push({ type: "done", reason: "toolUse", message });
		stream.end(message);
	});
	return stream;
}

function pushBlock(
	stream: AssistantMessageEventStream,
	partial: AssistantMessage,
	contentIndex: number,
	block: AssistantMessage["content"][number],
): void {
	if (block.type === "text") {
		stream.push({ type: "text_start", contentIndex, partial });
		stream.push({ type: "text_delta", contentIndex, delta: block.text, partial });
		stream.push({ type: "text_end", contentIndex, content: block.text, partial });
	}
	if (block.type === "toolCall") {
		stream.push({ type: "toolcall_start", contentIndex, partial });
		stream.push({ type: "toolcall_end", contentIndex, toolCall: block, partial });
	}
}

async function buildMessage(
	model: Model<Api>,
	context: TranscriptContext,
	grant: ChildGrant,
	navigator: Pick<Navigator, "plan">,
): Promise<AssistantMessage> {
	const frame = {
		role: "assistant" as const,
		api: model.api,
		provider: model.provider,
		model: model.id,
		usage: NO_USAGE,
		timestamp: Date.now(),
	};
	try {
		const step = await navigator.plan(toNavigatorInput(context, grant));
		return { ...frame, content: toContent(step, context.messages.length), stopReason: "toolUse" };
	} catch (error) {
		const errorMessage = messageOf(error);
		return { ...frame, content: [], stopReason: "error", errorMessage };
	}
}

function toContent(step: NavigatorStep, seed: number): AssistantMessage["content"] {
	const call = (name: string, args: Record<string, unknown>, index: number): ToolCall => ({
		type: "toolCall",
		id: `navigator_${seed}_${index}`,
		name,
		arguments: args as ToolCall["arguments"],
	});
	if (step.kind === "call") {
		const calls = step.calls.map(({ tool, args }, index) => call(tool, args, index));
		return [{ type: "text", text: step.note }, ...calls];
	}
	const { kind: _, ...args } = step;
	return [call(FINALIZE_TOOL, args, 0)];
}
