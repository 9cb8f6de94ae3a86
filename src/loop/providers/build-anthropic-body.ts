import type { JsonObject } from "@deputize/ground";
import { type HistoryEntry, parseArguments, type ToolResult, type TurnRequest } from "./provider.ts";

const VERTEX_VERSION = "vertex-2023-10-16";
/** The API refuses a request without a limit. */
const DEFAULT_MAX_TOKENS = 8192;
const THINKING_BUDGET_TOKENS = 24_000;
/** Thinking counts against the limit, so the limit must leave room for an answer after it. */
const THINKING_MAX_TOKENS = 32_000;

export function buildAnthropicBody(request: TurnRequest): JsonObject {
	return { model: request.model, ...buildCommon(request) };
}

/** The model is in the address there, and the version in the body. */
export function buildVertexBody(request: TurnRequest): JsonObject {
	return { anthropic_version: VERTEX_VERSION, ...buildCommon(request) };
}

/** No temperature: current models accept only the default, and the current API version refuses the field. */
function buildCommon(request: TurnRequest): JsonObject {
	const limit = request.maxTokens ?? DEFAULT_MAX_TOKENS;
	return {
		max_tokens: request.think ? Math.max(limit, THINKING_MAX_TOKENS) : limit,
		...(request.system === "" ? {} : { system: request.system }),
		messages: buildMessages(request),
		stream: true,
		...(request.think ? { thinking: { type: "enabled", budget_tokens: THINKING_BUDGET_TOKENS } } : {}),
		...(request.tools.length === 0
			? {}
			: {
					tools: request.tools.map((tool) => ({
						name: tool.name,
						description: tool.description,
						input_schema: tool.parameters,
					})),
				}),
		...(request.output?.mode === "json_schema"
			? { output_config: { format: { type: "json_schema", schema: request.output.schema } } }
			: {}),
	};
}

type Message = { role: "user" | "assistant"; content: string | JsonObject[] };

function buildMessages(request: TurnRequest): readonly Message[] {
	const messages: Message[] = [];
	for (const entry of request.history) {
		const last = messages.at(-1);
		if (entry.kind === "user" && last?.role === "user" && Array.isArray(last.content)) {
			// Results must come first in the message that answers a tool call; what the user adds goes after them.
			last.content.push({ type: "text", text: entry.text });
		} else messages.push(toMessage(entry, request.model));
	}
	return messages;
}

function toMessage(entry: HistoryEntry, model: string): Message {
	if (entry.kind === "user") return { role: "user", content: entry.text };
	if (entry.kind === "tools") return { role: "user", content: entry.results.map(toResultBlock) };
	if (entry.native?.family === "anthropic" && entry.native.model === model) {
		return { role: "assistant", content: [...entry.native.content] };
	}
	return {
		role: "assistant",
		content: [
			...(entry.text === "" ? [] : [{ type: "text", text: entry.text }]),
			...entry.toolCalls.map((call) => ({
				type: "tool_use",
				id: call.id,
				name: call.name,
				input: parseArguments(call.argumentsText) ?? {},
			})),
		],
	};
}

function toResultBlock(result: ToolResult): JsonObject {
	return {
		type: "tool_result",
		tool_use_id: result.id,
		content: result.text,
		...(result.isError ? { is_error: true } : {}),
	};
}
