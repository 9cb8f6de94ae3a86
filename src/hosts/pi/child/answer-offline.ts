import { messageOf } from "@deputize/ground";
import type { NavigatorStep } from "@deputize/navigator";
import type {
	Api,
	AssistantMessage,
	AssistantMessageEvent,
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

/**
 * One "model turn" of the navigator: the transcript in, tool calls or the handover out. Its stream has what pi uses of one:
 * pi's own class exists only for pi's loader, which is slower than the one that an extension without pi's packages gets.
 */
export function answerOffline(
	model: Model<Api>,
	context: TranscriptContext,
	{ grant, navigator }: { readonly grant: ChildGrant; readonly navigator: Pick<Navigator, "plan"> },
): AssistantMessageEventStream {
	const message = buildMessage(model, context, grant, navigator);
	async function* listEvents(): AsyncGenerator<AssistantMessageEvent> {
		yield* toEvents(await message);
	}
	const stream = { [Symbol.asyncIterator]: listEvents, result: () => message };
	return stream as unknown as AssistantMessageEventStream;
}

function* toEvents(message: AssistantMessage): Generator<AssistantMessageEvent> {
	yield { type: "start", partial: { ...message, content: [] } };
	for (const [contentIndex, block] of message.content.entries()) {
		const place = { contentIndex, partial: message };
		if (block.type === "text") {
			yield { type: "text_start", ...place };
			yield { type: "text_delta", ...place, delta: block.text };
			yield { type: "text_end", ...place, content: block.text };
		}
		if (block.type === "toolCall") {
			yield { type: "toolcall_start", ...place };
			yield { type: "toolcall_end", ...place, toolCall: block };
		}
	}
	if (message.stopReason === "error") yield { type: "error", reason: "error", error: message };
	else yield { type: "done", reason: "toolUse", message };
}

/** Never rejects: what goes wrong becomes a message. */
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
