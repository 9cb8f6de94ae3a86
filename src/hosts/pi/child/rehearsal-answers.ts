import { FINALIZE_TOOL } from "../../../contract/finalization.ts";

const HANDOVER = { status: "SUCCESS", result: "Nothing." };
const HANDOVER_TEXT = JSON.stringify(HANDOVER);
/** In pieces, as models write. */
const PIECES = HANDOVER_TEXT.match(/.{1,8}/g) ?? [];
const CALL = { id: "call_rehearsal", name: FINALIZE_TOOL };

/**
 * A model's answer that hands over at once, as a stream of each API. Only APIs that were seen to send their request where
 * the model says: others might send it to their real provider.
 */
export const REHEARSAL_ANSWERS: Readonly<Record<string, string>> = {
	"openai-completions": toStream(
		[
			{ role: "assistant", content: "" },
			{
				tool_calls: [
					{ index: 0, id: CALL.id, type: "function", function: { name: CALL.name, arguments: "" } },
				],
			},
			...PIECES.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
			{},
		].map((delta, index, all) => ({
			id: "rehearsal",
			object: "chat.completion.chunk",
			created: 1,
			model: "rehearsal",
			choices: [{ index: 0, delta, finish_reason: index === all.length - 1 ? "tool_calls" : null }],
			...(index === all.length - 1
				? { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
				: {}),
		})),
		"[DONE]",
	),
	"openai-responses": toNamedStream([
		{ type: "response.created", response: { id: "rehearsal", status: "in_progress", output: [] } },
		{ type: "response.output_item.added", output_index: 0, item: describeItem("in_progress", "") },
		...PIECES.map((delta) => ({
			type: "response.function_call_arguments.delta",
			item_id: "item_rehearsal",
			output_index: 0,
			delta,
		})),
		{
			type: "response.function_call_arguments.done",
			item_id: "item_rehearsal",
			output_index: 0,
			arguments: HANDOVER_TEXT,
		},
		{ type: "response.output_item.done", output_index: 0, item: describeItem("completed", HANDOVER_TEXT) },
		{
			type: "response.completed",
			response: {
				id: "rehearsal",
				status: "completed",
				output: [describeItem("completed", HANDOVER_TEXT)],
				usage: {
					input_tokens: 1,
					input_tokens_details: { cached_tokens: 0 },
					output_tokens: 1,
					output_tokens_details: { reasoning_tokens: 0 },
					total_tokens: 2,
				},
			},
		},
	]),
	"anthropic-messages": toNamedStream([
		{
			type: "message_start",
			message: {
				id: "rehearsal",
				type: "message",
				role: "assistant",
				model: "rehearsal",
				content: [],
				stop_reason: null,
				stop_sequence: null,
				usage: { input_tokens: 1, output_tokens: 1 },
			},
		},
		{ type: "content_block_start", index: 0, content_block: { type: "tool_use", ...CALL, input: {} } },
		...PIECES.map((piece) => ({
			type: "content_block_delta",
			index: 0,
			delta: { type: "input_json_delta", partial_json: piece },
		})),
		{ type: "content_block_stop", index: 0 },
		{
			type: "message_delta",
			delta: { stop_reason: "tool_use", stop_sequence: null },
			usage: { output_tokens: 1 },
		},
		{ type: "message_stop" },
	]),
	"google-generative-ai": toStream([
		{
			candidates: [
				{
					index: 0,
					content: { role: "model", parts: [{ functionCall: { name: CALL.name, args: HANDOVER } }] },
					finishReason: "STOP",
				},
			],
			usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
		},
	]),
};

function describeItem(status: string, written: string): object {
	return {
		type: "function_call",
		id: "item_rehearsal",
		call_id: CALL.id,
		name: CALL.name,
		arguments: written,
		status,
	};
}

function toStream(events: readonly object[], end?: string): string {
	return [...events.map((event) => JSON.stringify(event)), ...(end === undefined ? [] : [end])]
		.map((data) => `data: ${data}\n\n`)
		.join("");
}

function toNamedStream(
	events: readonly { readonly type: string; readonly [field: string]: unknown }[],
): string {
	return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
