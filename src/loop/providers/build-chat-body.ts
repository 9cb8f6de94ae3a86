import { asText, defined, type JsonObject } from "@deputize/ground";
import { type HistoryEntry, replayableArguments, type TurnRequest } from "./provider.ts";

export function buildChatBody(request: TurnRequest): JsonObject {
	return {
		model: request.model,
		messages: [
			...(request.system === "" ? [] : [{ role: "system", content: request.system }]),
			...request.history.flatMap((entry) => toMessages(entry, request.model)),
		],
		stream: true,
		stream_options: { include_usage: true },
		...buildSampling(request),
		...(request.tools.length === 0
			? {}
			: {
					tools: request.tools.map((tool) => ({
						type: "function",
						function: { name: tool.name, description: tool.description, parameters: tool.parameters },
					})),
					tool_choice: "auto",
				}),
		...(request.output === undefined ? {} : { response_format: buildResponseFormat(request.output) }),
	};
}

/** Models that reason take neither a temperature nor the old name of the limit. */
function buildSampling(request: TurnRequest): JsonObject {
	const limit = request.maxTokens;
	if (request.think) {
		return { reasoning_effort: "high", ...defined({ max_completion_tokens: limit }) };
	}
	return { temperature: request.temperature, ...defined({ max_tokens: limit }) };
}

function buildResponseFormat(output: NonNullable<TurnRequest["output"]>): JsonObject {
	if (output.mode === "json_object") return { type: "json_object" };
	return {
		type: "json_schema",
		json_schema: { name: output.name, schema: output.schema, strict: output.strict },
	};
}

function toMessages(entry: HistoryEntry, model: string): readonly JsonObject[] {
	if (entry.kind === "user") return [{ role: "user", content: entry.text }];
	if (entry.kind === "tools") {
		return entry.results.map((result) => ({ role: "tool", tool_call_id: result.id, content: result.text }));
	}
	return [
		{
			role: "assistant",
			content: entry.text === "" && entry.toolCalls.length > 0 ? null : entry.text,
			...readReasoning(entry, model),
			...(entry.toolCalls.length === 0
				? {}
				: {
						tool_calls: entry.toolCalls.map((call) => ({
							id: call.id,
							type: "function",
							function: { name: call.name, arguments: replayableArguments(call) },
						})),
					}),
		},
	];
}

/** Servers that stream `reasoning_content` want it back while a tool loop goes on; others never sent any. */
function readReasoning(entry: Extract<HistoryEntry, { kind: "assistant" }>, model: string): JsonObject {
	if (entry.native?.family !== "chat" || entry.native.model !== model || entry.toolCalls.length === 0)
		return {};
	const reasoning = asText(entry.native.content[0]?.["reasoning_content"]);
	return reasoning === "" ? {} : { reasoning_content: reasoning };
}
