import { asCount, type JsonObject, parseJsonObject } from "@deputize/ground";
import type { HostNeutralTool, JsonSchema } from "../../contract/tool.ts";
import type { Usage } from "../../contract/usage.ts";

export type ToolDeclaration = Pick<HostNeutralTool, "name" | "description" | "parameters">;

export interface ToolCall {
	/** The id the result must carry: `call_id`, `tool_use` id, or the seed dialect's item id. */
	readonly id: string;
	readonly name: string;
	/** As the model wrote it; perhaps not even JSON. */
	readonly argumentsText: string;
}

export interface ToolResult {
	readonly id: string;
	readonly name: string;
	readonly text: string;
	readonly isError: boolean;
}

/** The turn in the provider's own form, to be sent back word for word to the same provider and model. */
export interface NativeTurn {
	readonly family: "responses" | "chat" | "anthropic";
	readonly model: string;
	readonly content: readonly JsonObject[];
	/** Responses only: in which dialect the server announced its tool calls, and what to refer to. */
	readonly dialect?: ResponsesDialect;
	readonly responseId?: string;
}

export type ResponsesDialect = "seed" | "openai";

export type HistoryEntry =
	| { readonly kind: "user"; readonly text: string }
	| {
			readonly kind: "assistant";
			readonly text: string;
			readonly toolCalls: readonly ToolCall[];
			readonly native?: NativeTurn;
	  }
	| { readonly kind: "tools"; readonly results: readonly ToolResult[] };

/** The provider's own way to ask for JSON; the schema already has the shape this provider accepts. */
export type NativeOutput =
	| {
			readonly mode: "json_schema";
			readonly name: string;
			readonly schema: JsonSchema;
			readonly strict: boolean;
	  }
	| { readonly mode: "json_object" };

/** Everything a body is built from. Building is pure: the same turn gives the same bytes. */
export interface TurnRequest {
	readonly model: string;
	readonly system: string;
	readonly history: readonly HistoryEntry[];
	readonly think: boolean;
	readonly temperature: number;
	readonly maxTokens?: number;
	readonly tools: readonly ToolDeclaration[];
	readonly output?: NativeOutput;
	/** Continue in this dialect, whichever one the server used. */
	readonly dialect?: ResponsesDialect;
}

export interface TurnOutcome {
	readonly text: string;
	readonly toolCalls: readonly ToolCall[];
	/** `pause`: the provider wants the same turn sent back to go on. */
	readonly stop: "end" | "tools" | "pause";
	readonly usage: Usage;
	/** The model that answered, as the server names it. */
	readonly model?: string;
	readonly native?: NativeTurn;
}

/** Receives what a decoder reads, as it reads it. */
export interface TurnSink {
	start(responseId: string): void;
	text(delta: string): void;
	reasoning(delta: string): void;
	/** The name is empty until the server sends it. */
	toolCall(id: string, delta: string, name: string): void;
}

/**
 * Reads one streamed answer. `accept` throws a `LoopError` for an answer that is a failure; `finish` throws when the
 * stream ended without the provider's terminal event, so that a cut-off answer can never pass for a whole one.
 */
export interface StreamDecoder {
	accept(event: JsonObject): void;
	/** The stream's `[DONE]` line. */
	acceptDone(): void;
	/** `settled`: complete, but more (usage) may follow. `closed`: nothing more will be read. */
	state(): "open" | "settled" | "closed";
	/** Spent so far, also when the answer is a failure. */
	usage(): Usage;
	finish(): TurnOutcome;
}

export interface Provider {
	buildBody(request: TurnRequest): JsonObject;
	buildHeaders(key: string): Record<string, string>;
	createDecoder(sink: TurnSink, request: TurnRequest, body: JsonObject): StreamDecoder;
	/** A whole answer as the events it would have been streamed as; undefined when it is not this provider's answer. */
	toStreamEvents(whole: JsonObject): readonly JsonObject[] | undefined;
}

/** Arguments for a replay. Servers parse them: text that is not a JSON object would fail the whole request. */
export function parseArguments(text: string): JsonObject | undefined {
	if (text.trim() === "") return {};
	return parseJsonObject(text);
}

export function replayableArguments(call: ToolCall): string {
	return call.argumentsText.trim() !== "" && parseArguments(call.argumentsText) !== undefined
		? call.argumentsText
		: "{}";
}

/**
 * A call whose arguments break off exactly where the budget ends was cut, whatever the server says about it. Running
 * it is wrong, and sending it back makes some servers fail.
 */
export function wasCutInCall(calls: readonly ToolCall[], usage: Usage, body: JsonObject): boolean {
	const limit = asCount(body["max_tokens"]) || asCount(body["max_completion_tokens"]);
	const isBroken = calls.some((call) => parseArguments(call.argumentsText) === undefined);
	return isBroken && limit > 0 && usage.output >= limit;
}
