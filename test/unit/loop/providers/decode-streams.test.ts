import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../packages/ground/json/json-values.ts";
import { createAnthropicDecoder } from "../../../../src/loop/providers/decode-anthropic-stream.ts";
import { createChatDecoder } from "../../../../src/loop/providers/decode-chat-stream.ts";
import { createResponsesDecoder } from "../../../../src/loop/providers/decode-responses-stream.ts";
import type { StreamDecoder, TurnRequest, TurnSink } from "../../../../src/loop/providers/provider.ts";

const REQUEST: TurnRequest = { model: "m", system: "", history: [], think: false, temperature: 1, tools: [] };

function record() {
	const log: string[] = [];
	const sink: TurnSink = {
		start: (id) => log.push(`start ${id}`),
		text: (delta) => log.push(`text ${delta}`),
		reasoning: (delta) => log.push(`reasoning ${delta}`),
		toolCall: (id, delta, name) => log.push(`call ${id} ${name} ${delta}`),
	};
	return { log, sink };
}

function feed(create: (sink: TurnSink) => StreamDecoder, events: JsonObject[]) {
	const { log, sink } = record();
	const decoder = create(sink);
	for (const event of events) decoder.accept(event);
	return { log, outcome: decoder.finish(), state: decoder.state() };
}

const responses = (events: JsonObject[], body: JsonObject = {}) =>
	feed((sink) => createResponsesDecoder(sink, REQUEST, body), events);
const chat = (events: JsonObject[]) => feed((sink) => createChatDecoder(sink, REQUEST), events);
const anthropic = (events: JsonObject[]) => feed((sink) => createAnthropicDecoder(sink, REQUEST), events);

describe("Responses streams", () => {
	it("maps every event of the contract", () => {
		const { log, outcome } = responses([
			{ type: "response.created", response: { id: "r" } },
			{ type: "response.reasoning_summary_text.delta", delta: "why" },
			{ type: "response.output_text.delta", delta: "a" },
			{ type: "response.output_item.added", item: { type: "tool_call", id: "t1", name: "n" } },
			{ type: "response.tool_call_arguments.delta", delta: '{"x"' },
			{ type: "response.tool_call_arguments.delta", delta: ":1}" },
			{ type: "response.output_item.done", item: { type: "tool_call", id: "t1", arguments: '{"x":1}' } },
			{ type: "response.completed", response: {} },
		]);
		expect(log).toEqual(["start r", "reasoning why", "text a", 'call t1 n {"x"', "call t1 n :1}"]);
		expect(outcome).toMatchObject({
			text: "a",
			stop: "tools",
			toolCalls: [{ id: "t1", name: "n", argumentsText: '{"x":1}' }],
			native: { dialect: "seed", responseId: "r" },
		});
	});

	it("keeps interleaved parallel calls apart, without indexes and without done events", () => {
		const { outcome } = responses([
			{ type: "response.created", response: { id: "r" } },
			{
				type: "response.output_item.added",
				item: { type: "function_call", id: "fc_a", call_id: "a", name: "one", arguments: "" },
			},
			{
				type: "response.output_item.added",
				item: { type: "function_call", id: "fc_b", call_id: "b", name: "two", arguments: "" },
			},
			{ type: "response.function_call_arguments.delta", item_id: "fc_b", delta: '{"b"' },
			{ type: "response.function_call_arguments.delta", item_id: "fc_a", delta: '{"a"' },
			{ type: "response.function_call_arguments.delta", item_id: "fc_b", delta: ":2}" },
			{ type: "response.function_call_arguments.delta", item_id: "fc_a", delta: ":1}" },
			{ type: "response.completed", response: { status: "completed" } },
		]);
		expect(outcome.toolCalls).toEqual([
			{ id: "a", name: "one", argumentsText: '{"a":1}' },
			{ id: "b", name: "two", argumentsText: '{"b":2}' },
		]);
	});

	it("finds the call by output_index where item_id is missing", () => {
		const { outcome } = responses([
			{
				type: "response.output_item.added",
				output_index: 0,
				item: { type: "function_call", call_id: "a", name: "one" },
			},
			{
				type: "response.output_item.added",
				output_index: 1,
				item: { type: "function_call", call_id: "b", name: "two" },
			},
			{ type: "response.function_call_arguments.delta", output_index: 0, delta: "{}" },
			{ type: "response.completed", response: {} },
		]);
		expect(outcome.toolCalls.map((call) => call.argumentsText)).toEqual(["{}", ""]);
	});

	it("survives duplicates, deltas after the end and calls without arguments", () => {
		const item = { type: "function_call", id: "fc", call_id: "c", name: "n", arguments: "" };
		const { outcome, log } = responses([
			{ type: "response.output_item.added", item },
			{ type: "response.output_item.added", item },
			{ type: "response.output_item.done", item: { ...item, arguments: "{}" } },
			{ type: "response.function_call_arguments.delta", item_id: "fc", delta: "garbage" },
			{ type: "response.output_item.done", item: { ...item, arguments: "{}" } },
			{ type: "response.completed", response: { output: [{ ...item, arguments: "{}" }] } },
		]);
		expect(outcome.toolCalls).toEqual([{ id: "c", name: "n", argumentsText: "{}" }]);
		expect(log).toEqual(["call c n {}"]);
	});

	it("joins two text items and takes a text that came only at the end", () => {
		expect(
			responses([
				{ type: "response.output_item.added", item: { type: "message", id: "m1" } },
				{ type: "response.output_text.delta", item_id: "m1", delta: "one " },
				{ type: "response.output_item.added", item: { type: "message", id: "m2" } },
				{ type: "response.output_text.delta", item_id: "m2", delta: "two" },
				{
					type: "response.completed",
					response: {
						output: [{ type: "message", id: "m1", content: [{ type: "output_text", text: "one " }] }],
					},
				},
			]).outcome.text,
		).toBe("one two");
		expect(
			responses([
				{
					type: "response.completed",
					response: { output: [{ type: "message", content: [{ type: "output_text", text: "late" }] }] },
				},
			]).log,
		).toEqual(["text late"]);
	});

	it("does not double text when the final list has other ids", () => {
		const { outcome } = responses([
			{ type: "response.output_text.delta", delta: "once" },
			{
				type: "response.completed",
				response: {
					output: [{ type: "message", id: "other", content: [{ type: "output_text", text: "once" }] }],
				},
			},
		]);
		expect(outcome.text).toBe("once");
	});

	it("infers a cut from a budget that was used up", () => {
		const events = [
			{ type: "response.output_text.delta", delta: "x" },
			{ type: "response.completed", response: { status: "completed", usage: { output_tokens: 16 } } },
		];
		expect(() => responses(events, { max_output_tokens: 16 })).toThrow(/output limit/);
		expect(responses(events, { max_output_tokens: 17 }).outcome.text).toBe("x");
	});

	it("counts cached input apart", () => {
		const { outcome } = responses([
			{ type: "response.output_text.delta", delta: "x" },
			{
				type: "response.completed",
				response: {
					usage: {
						input_tokens: 100,
						output_tokens: 5,
						input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
					},
				},
			},
		]);
		expect(outcome.usage).toEqual({ input: 30, output: 5, cacheRead: 60, cacheWrite: 10, cost: 0, turns: 1 });
	});
});

describe("Chat streams", () => {
	const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
		id: "c",
		choices: [{ index: 0, delta, finish_reason: finish }],
	});

	it("puts fragments together by index, then by id, then onto the last call", () => {
		const { outcome } = chat([
			chunk({ role: "assistant", content: null }),
			chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: "" } }] }),
			chunk({ tool_calls: [{ index: 1, id: "b", function: { name: "two", arguments: '{"y"' } }] }),
			chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] }),
			chunk({ tool_calls: [{ id: "b", function: { arguments: ":" } }] }),
			chunk({ tool_calls: [{ function: { arguments: "2}" } }] }),
			chunk({}, "tool_calls"),
		]);
		expect(outcome.toolCalls).toEqual([
			{ id: "a", name: "one", argumentsText: '{"x":1}' },
			{ id: "b", name: "two", argumentsText: '{"y":2}' },
		]);
	});

	it("keeps calls apart when a vendor numbers them all 0, or repeats id and name", () => {
		const zero = chat([
			chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "n", arguments: "{}" } }] }),
			chunk({ tool_calls: [{ index: 0, id: "b", function: { name: "n", arguments: "{}" } }] }),
			chunk({}, "stop"),
		]);
		expect(zero.outcome.toolCalls.map(({ id }) => id)).toEqual(["a", "b"]);
		expect(zero.outcome.stop).toBe("tools");
		const repeated = chat([
			chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "n", arguments: '{"x' } }] }),
			chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "n", arguments: '":1}' } }] }),
			chunk({}, "tool_calls"),
		]);
		expect(repeated.outcome.toolCalls).toEqual([{ id: "a", name: "n", argumentsText: '{"x":1}' }]);
	});

	it("reads both names of reasoning, and content in the last chunk", () => {
		const { log, outcome } = chat([
			chunk({ reasoning_content: "a" }),
			chunk({ reasoning: "b" }),
			chunk({ content: "x" }, "stop"),
		]);
		expect(log).toEqual(["start c", "reasoning a", "reasoning b", "text x"]);
		expect(outcome.native?.content).toEqual([{ reasoning_content: "a" }]);
	});

	it("waits for usage after the end, and not for ever", () => {
		const { sink } = record();
		const decoder = createChatDecoder(sink, REQUEST);
		decoder.accept(chunk({ content: "x" }, "stop"));
		expect(decoder.state()).toBe("settled");
		decoder.accept({
			id: "c",
			choices: [],
			usage: { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } },
		});
		expect(decoder.state()).toBe("closed");
		expect(decoder.finish().usage).toMatchObject({ input: 7, output: 4, cacheRead: 3 });
	});

	it("does not take DONE alone for an end", () => {
		const { sink } = record();
		const decoder = createChatDecoder(sink, REQUEST);
		decoder.accept(chunk({ content: "x" }));
		decoder.acceptDone();
		expect(() => decoder.finish()).toThrow(/finish_reason/);
	});
});

describe("a call that breaks off where the budget ends", () => {
	it("is a cut answer, whatever the server calls it", () => {
		const body = { max_tokens: 8 };
		const cutChat = (sink: TurnSink) => createChatDecoder(sink, REQUEST, body);
		const call = { index: 0, id: "a", function: { name: "n", arguments: '{"x' } };
		const events = [
			{
				id: "c",
				choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }],
				usage: { completion_tokens: 8 },
			},
		];
		expect(() => feed(cutChat, events)).toThrow(/output limit/);
		const cutAnthropic = (sink: TurnSink) => createAnthropicDecoder(sink, REQUEST, body);
		const blocks = (tokens: number) => [
			{ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "n" } },
			{ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"x' } },
			{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: tokens } },
			{ type: "message_stop" },
		];
		expect(() => feed(cutAnthropic, blocks(8))).toThrow(/output limit/);
		expect(feed(cutAnthropic, blocks(7)).outcome.stop).toBe("tools");
	});
});

describe("Anthropic streams", () => {
	it("keeps blocks that overlap, and a tool call without input", () => {
		const { outcome } = anthropic([
			{
				type: "message_start",
				message: {
					id: "chatcmpl-1",
					usage: { input_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 1 },
				},
			},
			{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
			{ type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t", name: "n" } },
			{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } },
			{ type: "content_block_stop", index: 0 },
			{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
			{ type: "message_stop" },
		]);
		expect(outcome).toMatchObject({
			text: "x",
			toolCalls: [{ id: "t", name: "n", argumentsText: "{}" }],
			usage: { input: 5, output: 3, cacheRead: 2, cacheWrite: 1 },
			native: {
				content: [
					{ type: "text", text: "x" },
					{ type: "tool_use", id: "t", name: "n", input: {} },
				],
			},
		});
	});

	it("asks to go on when the provider pauses", () => {
		expect(
			anthropic([
				{ type: "message_start", message: { id: "m" } },
				{ type: "message_delta", delta: { stop_reason: "pause_turn" } },
				{ type: "message_stop" },
			]).outcome.stop,
		).toBe("pause");
	});

	it("is not over without a stop reason", () => {
		expect(() =>
			anthropic([{ type: "message_start", message: { id: "m" } }, { type: "message_stop" }]),
		).toThrow(/stop_reason/);
	});
});
