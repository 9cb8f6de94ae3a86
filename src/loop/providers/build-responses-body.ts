import { asList, asObject, asText, defined, type JsonObject } from "@deputize/ground";
import {
	type HistoryEntry,
	type NativeTurn,
	replayableArguments,
	type ToolResult,
	type TurnRequest,
} from "./provider.ts";

/** Field by field, in this order, what the contract prescribes. */
export function buildResponsesBody(request: TurnRequest): JsonObject {
	const previous = findSeedTurn(request);
	return {
		model: request.model,
		input: previous === undefined ? replayHistory(request) : continueAfter(request.history, previous.index),
		...(request.system === "" ? {} : { instructions: request.system }),
		stream: true,
		store: false,
		temperature: request.temperature,
		...defined({ max_output_tokens: request.maxTokens }),
		reasoning: request.think ? { effort: "high", summary: "detailed" } : { effort: "none" },
		...(request.tools.length === 0
			? {}
			: {
					tools: request.tools.map((tool) => ({
						type: "function",
						name: tool.name,
						description: tool.description,
						parameters: tool.parameters,
						strict: false,
					})),
					tool_choice: "auto",
				}),
		...(request.output === undefined ? {} : { text: { format: buildFormat(request.output) } }),
		...(previous === undefined ? {} : { previous_response_id: previous.responseId }),
	};
}

function buildFormat(output: NonNullable<TurnRequest["output"]>): JsonObject {
	return output.mode === "json_object"
		? { type: "json_object" }
		: { type: "json_schema", name: output.name, schema: output.schema, strict: output.strict };
}

/** The last turn of a server with the seed's dialect, which keeps the conversation on its side. */
function findSeedTurn(request: TurnRequest): { index: number; responseId: string } | undefined {
	const index = request.history.findLastIndex((entry) => entry.kind === "assistant");
	const entry = request.history[index];
	if (entry?.kind !== "assistant" || entry.native?.family !== "responses") return undefined;
	const dialect = request.dialect ?? findSpokenDialect(request.history);
	const responseId = entry.native.responseId ?? "";
	return dialect === "seed" && responseId !== "" ? { index, responseId } : undefined;
}

/** Only tool calls show which dialect a server uses; a plain answer is the same in both. */
function findSpokenDialect(history: readonly HistoryEntry[]): NativeTurn["dialect"] {
	const turns = history.filter((entry) => entry.kind === "assistant");
	const telling = turns.findLast((turn) => turn.toolCalls.length > 0) ?? turns.at(-1);
	return telling?.native?.dialect;
}

/** Only what is new replaces the input. */
function continueAfter(history: readonly HistoryEntry[], index: number): readonly JsonObject[] {
	return history.slice(index + 1).flatMap((entry) => {
		if (entry.kind === "user") return [toUserItem(entry.text)];
		return entry.kind === "tools" ? entry.results.map(toSeedResult) : [];
	});
}

function toSeedResult(result: ToolResult): JsonObject {
	return { type: "tool_result", tool_call_id: result.id, content: result.text };
}

function toUserItem(text: string): JsonObject {
	return { role: "user", content: [{ type: "input_text", text }] };
}

/** The whole conversation, because nothing is stored on the other side. */
function replayHistory(request: TurnRequest): readonly JsonObject[] {
	return request.history.flatMap((entry) => {
		if (entry.kind === "user") return [toUserItem(entry.text)];
		if (entry.kind === "tools") {
			return entry.results.map((result) => ({
				type: "function_call_output",
				call_id: result.id,
				output: result.text,
			}));
		}
		const { family, model } = entry.native ?? {};
		return family === "responses" && model === request.model ? replayNative(entry) : replayPlain(entry);
	});
}

type AssistantEntry = Extract<HistoryEntry, { kind: "assistant" }>;

function replayPlain(entry: AssistantEntry): readonly JsonObject[] {
	const message = {
		type: "message",
		role: "assistant",
		content: [{ type: "output_text", text: entry.text }],
	};
	return [
		...(entry.text === "" ? [] : [message]),
		...entry.toolCalls.map((call) => toCallItem(entry, call.id)),
	];
}

function toCallItem(entry: AssistantEntry, id: string): JsonObject {
	const call = entry.toolCalls.find((candidate) => candidate.id === id);
	return {
		type: "function_call",
		call_id: id,
		name: call?.name ?? "",
		arguments: call === undefined ? "{}" : replayableArguments(call),
	};
}

/** Items in their order, without ids: an id refers to something the server did not store. */
function replayNative(entry: AssistantEntry): readonly JsonObject[] {
	const items = entry.native?.content ?? [];
	// Text that came outside of any item must not be missing when the model is asked to correct it.
	const isLoose = entry.text !== "" && !items.some((item) => item["type"] === "message");
	const loose = isLoose ? replayPlain({ ...entry, toolCalls: [] }) : [];
	const replayed = items.flatMap((item) => {
		if (item["type"] === "reasoning") {
			// Reasoning without its encrypted form is a reference to nothing.
			if (asText(item["encrypted_content"]) === "") return [];
			return [
				{
					type: "reasoning",
					summary: asList(item["summary"]),
					encrypted_content: item["encrypted_content"],
				},
			];
		}
		if (item["type"] === "message") {
			return [
				{
					type: "message",
					role: "assistant",
					content: asList(item["content"]).map((part) => ({
						type: "output_text",
						text: asText(asObject(part)["text"]),
					})),
				},
			];
		}
		if (item["type"] === "function_call" || item["type"] === "tool_call") {
			return [toCallItem(entry, asText(item["call_id"]) || asText(item["id"]))];
		}
		return [];
	});
	return [...loose, ...replayed];
}
