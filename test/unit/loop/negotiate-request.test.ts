import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../packages/ground/json/json-values.ts";
import { LoopError } from "../../../src/loop/loop-error.ts";
import { negotiateRequest } from "../../../src/loop/negotiate-request.ts";

const responses = {
	model: "m",
	input: ["prompt"],
	temperature: 0.8,
	max_output_tokens: 10,
	reasoning: { effort: "none" },
	tools: [1],
};
const chat = {
	model: "m",
	messages: ["prompt"],
	stream_options: { include_usage: true },
	temperature: 0.8,
	max_tokens: 10,
};
const anthropic = {
	model: "m",
	messages: ["prompt"],
	max_tokens: 32_000,
	thinking: { type: "enabled", budget_tokens: 24_000 },
};

function negotiate(
	message: string,
	body: JsonObject,
	options: { parameter?: string; think?: boolean; status?: number } = {},
) {
	const error = new LoopError("http_error", `The provider answered 400: ${message}`, {
		status: options.status ?? 400,
		...(options.parameter === undefined ? {} : { parameter: options.parameter }),
	});
	return negotiateRequest(error, body, options.think ?? false);
}

function changed(
	message: string,
	body: JsonObject,
	options: Parameters<typeof negotiate>[2] = {},
): JsonObject {
	const negotiation = negotiate(message, body, options);
	if (negotiation?.kind !== "edit") throw new Error(`no edit: ${JSON.stringify(negotiation)}`);
	const after = negotiation.edit.apply(body);
	const names = new Set([...Object.keys(body), ...Object.keys(after)]);
	return Object.fromEntries(
		[...names].filter((name) => body[name] !== after[name]).map((name) => [name, after[name]]),
	);
}

describe("negotiateRequest", () => {
	const cases: [string, string, JsonObject, Parameters<typeof negotiate>[2], JsonObject][] = [
		[
			"temperature, by parameter",
			"Unsupported parameter",
			responses,
			{ parameter: "temperature" },
			{ temperature: undefined },
		],
		[
			"temperature, in words",
			"Unsupported value: 'temperature' does not support 0.8 with this model. Only the default (1) value is supported.",
			chat,
			{},
			{ temperature: undefined },
		],
		[
			"temperature, Anthropic's words",
			"temperature: Extra inputs are not permitted",
			chat,
			{},
			{ temperature: undefined },
		],
		[
			"the least effort",
			"Unsupported value: 'none' is not supported with the 'gpt-5' model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
			responses,
			{ parameter: "reasoning.effort" },
			{ reasoning: { effort: "minimal" } },
		],
		[
			"the most effort up to high",
			"Supported values are: 'medium', 'high', 'xhigh' and 'max'.",
			{ ...responses, reasoning: { effort: "none" } },
			{ parameter: "reasoning.effort", think: true },
			{ reasoning: { effort: "high" } },
		],
		[
			"no reasoning at all",
			"Unsupported parameter: 'reasoning.effort' is not supported with this model.",
			responses,
			{ parameter: "reasoning.effort" },
			{ reasoning: undefined },
		],
		[
			"a summary only",
			"Your organization must be verified to generate reasoning summaries.",
			{ ...responses, reasoning: { effort: "high", summary: "detailed" } },
			{ parameter: "reasoning.summary" },
			{ reasoning: { effort: "high" } },
		],
		[
			"a limit below the minimum",
			"Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 10 instead.",
			responses,
			{ parameter: "max_output_tokens" },
			{ max_output_tokens: 16 },
		],
		[
			"the limit's new name",
			"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
			chat,
			{ parameter: "max_tokens" },
			{ max_tokens: undefined, max_completion_tokens: 10 },
		],
		[
			"a limit above the maximum, and the budget with it",
			"max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m",
			anthropic,
			{},
			{ max_tokens: 8192, thinking: { type: "enabled", budget_tokens: 4096 } },
		],
		[
			"thinking that adapts",
			'thinking.type: "enabled" is not supported for this model. Use "thinking.type.adaptive".',
			anthropic,
			{ parameter: "thinking.type" },
			{ thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
		],
		["usage in the stream", "Unknown parameter: 'stream_options'.", chat, {}, { stream_options: undefined }],
		[
			"effort beside tools",
			"Function tools with reasoning_effort are not supported for m in /v1/chat/completions.",
			chat,
			{ parameter: "reasoning_effort" },
			{ reasoning_effort: "none" },
		],
	];
	it.each(cases)("changes only what was named: %s", (_name, message, body, options, expected) => {
		expect(changed(message, body, options)).toEqual(expected);
	});

	it("asks for a weaker form of structured output", () => {
		const body = { ...chat, response_format: { type: "json_schema" } };
		expect(
			negotiate("Invalid schema for response_format 'x'", body, { parameter: "response_format" }),
		).toEqual({ kind: "weaker-output" });
		expect(
			negotiate("output_config: Extra inputs are not permitted", {
				...anthropic,
				output_config: { format: {} },
			}),
		).toEqual({ kind: "weaker-output" });
	});

	it.each([
		["the model", "The model 'm' does not exist", "model"],
		["the prompt", "Invalid value for 'messages[0].content'", "messages[0].content"],
		["the tools", "Missing required parameter: 'tools[0].name'.", "tools[0].name"],
	])("never touches %s", (_name, message, parameter) => {
		expect(negotiate(message, chat, { parameter })).toBeUndefined();
		expect(negotiate(message, responses, { parameter })).toBeUndefined();
	});

	it("does nothing about other refusals", () => {
		for (const status of [401, 403, 404, 429, 500]) {
			expect(negotiate("temperature", chat, { parameter: "temperature", status })).toBeUndefined();
		}
	});
});
