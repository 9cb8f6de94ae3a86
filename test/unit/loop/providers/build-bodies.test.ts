import { describe, expect, it } from "vitest";
import { buildAnthropicBody, buildVertexBody } from "../../../../src/loop/providers/build-anthropic-body.ts";
import { buildChatBody } from "../../../../src/loop/providers/build-chat-body.ts";
import { buildResponsesBody } from "../../../../src/loop/providers/build-responses-body.ts";
import type { TurnRequest } from "../../../../src/loop/providers/provider.ts";

const SCHEMA = {
	type: "object",
	properties: { capital: { type: "string" } },
	required: ["capital"],
	additionalProperties: false,
};
const TOOL = { name: "bash_read", description: "Read.", parameters: { type: "object", properties: {} } };
const BASE: TurnRequest = {
	model: "m",
	system: "",
	history: [{ kind: "user", text: "hi" }],
	think: false,
	temperature: 0.8,
	tools: [],
};
const RESPONSES = '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}],';
const END = '"stream":true,"store":false,"temperature":0.8,"reasoning":{"effort":"none"}}';

/** Byte for byte: the order of fields is part of it. */
describe("the Responses contract, rule by rule", () => {
	const cases: [string, Partial<TurnRequest>, string][] = [
		["1, 2, 4, 5, 7: the least body", {}, `${RESPONSES}${END}`],
		[
			"3: instructions when a system prompt is given",
			{ system: "sys" },
			`${RESPONSES}"instructions":"sys",${END}`,
		],
		[
			"6: max_output_tokens when given",
			{ maxTokens: 8192 },
			`${RESPONSES}"stream":true,"store":false,"temperature":0.8,"max_output_tokens":8192,"reasoning":{"effort":"none"}}`,
		],
		[
			"7: reasoning when thinking",
			{ think: true },
			`${RESPONSES}"stream":true,"store":false,"temperature":0.8,"reasoning":{"effort":"high","summary":"detailed"}}`,
		],
		[
			"8: tools and tool_choice when there are tools",
			{ tools: [TOOL] },
			`${RESPONSES}"stream":true,"store":false,"temperature":0.8,"reasoning":{"effort":"none"},"tools":[{"type":"function","name":"bash_read","description":"Read.","parameters":{"type":"object","properties":{}},"strict":false}],"tool_choice":"auto"}`,
		],
		[
			"structured output in the API's own form",
			{ output: { mode: "json_schema", name: "n", schema: SCHEMA, strict: true } },
			`${RESPONSES}"stream":true,"store":false,"temperature":0.8,"reasoning":{"effort":"none"},"text":{"format":{"type":"json_schema","name":"n","schema":${JSON.stringify(SCHEMA)},"strict":true}}}`,
		],
		[
			"a JSON object",
			{ output: { mode: "json_object" } },
			`${RESPONSES}"stream":true,"store":false,"temperature":0.8,"reasoning":{"effort":"none"},"text":{"format":{"type":"json_object"}}}`,
		],
	];
	it.each(cases)("%s", (_rule, fields, expected) => {
		expect(JSON.stringify(buildResponsesBody({ ...BASE, ...fields }))).toBe(expected);
	});

	const call = { id: "tc_1", name: "bash_read", argumentsText: "{}" };
	const turn = (dialect: "seed" | "openai"): TurnRequest["history"] => [
		{ kind: "user", text: "hi" },
		{
			kind: "assistant",
			text: "",
			toolCalls: [call],
			native: {
				family: "responses",
				model: "m",
				content: [{ type: "function_call", id: "fc_1", call_id: "tc_1" }],
				dialect,
				responseId: "resp_9",
			},
		},
		{
			kind: "tools",
			results: [
				{ id: "tc_1", name: "bash_read", text: "A", isError: false },
				{ id: "tc_2", name: "bash_read", text: "B", isError: false },
			],
		},
	];

	it("continuation 1 to 3: the previous id, and results that replace the input", () => {
		expect(JSON.stringify(buildResponsesBody({ ...BASE, history: turn("seed") }))).toBe(
			`{"model":"m","input":[{"type":"tool_result","tool_call_id":"tc_1","content":"A"},{"type":"tool_result","tool_call_id":"tc_2","content":"B"}],${END.slice(0, -1)},"previous_response_id":"resp_9"}`,
		);
	});

	it("continues with the whole conversation where the server speaks OpenAI's dialect", () => {
		const body = buildResponsesBody({ ...BASE, history: turn("openai") });
		expect(body["previous_response_id"]).toBeUndefined();
		expect(body["input"]).toEqual([
			{ role: "user", content: [{ type: "input_text", text: "hi" }] },
			{ type: "function_call", call_id: "tc_1", name: "bash_read", arguments: "{}" },
			{ type: "function_call_output", call_id: "tc_1", output: "A" },
			{ type: "function_call_output", call_id: "tc_2", output: "B" },
		]);
	});

	const answered = (dialect: "seed" | "openai"): TurnRequest["history"] => [
		...turn(dialect),
		{
			kind: "assistant",
			text: "no JSON",
			toolCalls: [],
			// A plain answer shows no dialect: the decoder says openai for want of anything else.
			native: { family: "responses", model: "m", content: [], dialect: "openai", responseId: "resp_10" },
		},
		{ kind: "user", text: "Correct it." },
	];

	it("stays in the seed's dialect for a correction, after the answer that is corrected", () => {
		const body = buildResponsesBody({ ...BASE, history: answered("seed") });
		expect(body["previous_response_id"]).toBe("resp_10");
		expect(body["input"]).toEqual([{ role: "user", content: [{ type: "input_text", text: "Correct it." }] }]);
	});

	it("replays an answer that came without an item when the conversation is sent whole", () => {
		const body = buildResponsesBody({ ...BASE, history: answered("openai") });
		expect((body["input"] as unknown[]).slice(-2)).toEqual([
			{ type: "message", role: "assistant", content: [{ type: "output_text", text: "no JSON" }] },
			{ role: "user", content: [{ type: "input_text", text: "Correct it." }] },
		]);
	});

	it("lets the caller choose the dialect", () => {
		expect(
			buildResponsesBody({ ...BASE, history: turn("seed"), dialect: "openai" })["previous_response_id"],
		).toBeUndefined();
		expect(
			buildResponsesBody({ ...BASE, history: turn("openai"), dialect: "seed" })["previous_response_id"],
		).toBe("resp_9");
	});

	it("never replays arguments that are not JSON, nor reasoning without its encrypted form", () => {
		const history: TurnRequest["history"] = [
			{
				kind: "assistant",
				text: "x",
				toolCalls: [{ id: "c", name: "n", argumentsText: '{"broken' }],
				native: {
					family: "responses",
					model: "m",
					content: [
						{ type: "reasoning", id: "rs" },
						{ type: "message", id: "msg", content: [{ type: "output_text", text: "x", annotations: [] }] },
						{ type: "function_call", id: "fc", call_id: "c" },
					],
				},
			},
		];
		expect(buildResponsesBody({ ...BASE, history })["input"]).toEqual([
			{ type: "message", role: "assistant", content: [{ type: "output_text", text: "x" }] },
			{ type: "function_call", call_id: "c", name: "n", arguments: "{}" },
		]);
	});
});

describe("the Chat body", () => {
	it("has the system prompt as a message, the limit and the temperature", () => {
		expect(JSON.stringify(buildChatBody({ ...BASE, system: "sys", maxTokens: 5 }))).toBe(
			'{"model":"m","messages":[{"role":"system","content":"sys"},{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true},"temperature":0.8,"max_tokens":5}',
		);
	});

	it("structured output 2.1: response_format json_schema", () => {
		const body = buildChatBody({
			...BASE,
			output: { mode: "json_schema", name: "n", schema: SCHEMA, strict: true },
		});
		expect(JSON.stringify(body["response_format"])).toBe(
			`{"type":"json_schema","json_schema":{"name":"n","schema":${JSON.stringify(SCHEMA)},"strict":true}}`,
		);
	});

	it("structured output 2.2: response_format json_object", () => {
		expect(
			JSON.stringify(buildChatBody({ ...BASE, output: { mode: "json_object" } })["response_format"]),
		).toBe('{"type":"json_object"}');
	});

	it("thinks without a temperature and with the new name of the limit", () => {
		expect(buildChatBody({ ...BASE, think: true, maxTokens: 9 })).toEqual({
			model: "m",
			messages: [{ role: "user", content: "hi" }],
			stream: true,
			stream_options: { include_usage: true },
			reasoning_effort: "high",
			max_completion_tokens: 9,
		});
	});

	it("routing 1: the conversation is in messages, tool calls and results included", () => {
		const body = buildChatBody({
			...BASE,
			tools: [TOOL],
			history: [
				{ kind: "user", text: "hi" },
				{
					kind: "assistant",
					text: "",
					toolCalls: [{ id: "c1", name: "bash_read", argumentsText: "" }],
					native: { family: "chat", model: "m", content: [{ reasoning_content: "hmm" }] },
				},
				{ kind: "tools", results: [{ id: "c1", name: "bash_read", text: "A", isError: true }] },
			],
		});
		expect(body["messages"]).toEqual([
			{ role: "user", content: "hi" },
			{
				role: "assistant",
				content: null,
				reasoning_content: "hmm",
				tool_calls: [{ id: "c1", type: "function", function: { name: "bash_read", arguments: "{}" } }],
			},
			{ role: "tool", tool_call_id: "c1", content: "A" },
		]);
		expect(body["tools"]).toEqual([{ type: "function", function: TOOL }]);
		expect(body["input"]).toBeUndefined();
	});
});

describe("the Anthropic body", () => {
	it("has no temperature and always a limit", () => {
		expect(JSON.stringify(buildAnthropicBody({ ...BASE, system: "sys" }))).toBe(
			'{"model":"m","max_tokens":8192,"system":"sys","messages":[{"role":"user","content":"hi"}],"stream":true}',
		);
	});

	it("leaves room for an answer after thinking", () => {
		expect(buildAnthropicBody({ ...BASE, think: true, maxTokens: 100 })).toMatchObject({
			max_tokens: 32_000,
			thinking: { type: "enabled", budget_tokens: 24_000 },
		});
		expect(buildAnthropicBody({ ...BASE, think: true, maxTokens: 64_000 })).toMatchObject({
			max_tokens: 64_000,
		});
	});

	it("structured output 3.1: output_config", () => {
		const body = buildAnthropicBody({
			...BASE,
			output: { mode: "json_schema", name: "n", schema: SCHEMA, strict: true },
		});
		expect(JSON.stringify(body["output_config"])).toBe(
			`{"format":{"type":"json_schema","schema":${JSON.stringify(SCHEMA)}}}`,
		);
		expect(
			buildVertexBody({ ...BASE, output: { mode: "json_schema", name: "n", schema: SCHEMA, strict: true } })[
				"output_config"
			],
		).toEqual(body["output_config"]);
	});

	it("on Vertex names the version instead of the model", () => {
		expect(JSON.stringify(buildVertexBody(BASE))).toBe(
			'{"anthropic_version":"vertex-2023-10-16","max_tokens":8192,"messages":[{"role":"user","content":"hi"}],"stream":true}',
		);
	});

	it("puts results first and what the user adds after them, in one message", () => {
		const body = buildAnthropicBody({
			...BASE,
			history: [
				{ kind: "user", text: "hi" },
				{ kind: "assistant", text: "t", toolCalls: [{ id: "u1", name: "n", argumentsText: '{"a":1}' }] },
				{ kind: "tools", results: [{ id: "u1", name: "n", text: "bad", isError: true }] },
				{ kind: "user", text: "go on" },
			],
		});
		expect(body["messages"]).toEqual([
			{ role: "user", content: "hi" },
			{
				role: "assistant",
				content: [
					{ type: "text", text: "t" },
					{ type: "tool_use", id: "u1", name: "n", input: { a: 1 } },
				],
			},
			{
				role: "user",
				content: [
					{ type: "tool_result", tool_use_id: "u1", content: "bad", is_error: true },
					{ type: "text", text: "go on" },
				],
			},
		]);
	});

	it("does not send another model's own blocks", () => {
		const native = {
			family: "anthropic",
			model: "other",
			content: [{ type: "thinking", thinking: "t", signature: "s" }],
		} as const;
		const body = buildAnthropicBody({
			...BASE,
			history: [{ kind: "assistant", text: "x", toolCalls: [], native }],
		});
		expect(body["messages"]).toEqual([{ role: "assistant", content: [{ type: "text", text: "x" }] }]);
	});
});
