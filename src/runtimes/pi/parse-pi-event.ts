import {
	asCount,
	asList,
	asObject,
	asText,
	defined,
	type JsonObject,
	joinTextBlocks,
	parseJsonObject,
	peekEventType,
} from "@deputize/ground";
import { type ChildQuestion, QUESTION_ENTRY, REFUSED_ENTRY } from "../../contract/child-question.ts";
import type { ChildEvent, StopReason, ToolCallRecord } from "../../contract/event.ts";
import { CORRECTION_MESSAGE } from "../../contract/finalization.ts";
import { findErrorCode } from "../../contract/tool-error.ts";
import { NO_USAGE, type Usage } from "../../contract/usage.ts";
import type { LineDialect } from "../start-event-process.ts";

type ParsedLine = ReturnType<LineDialect["readLine"]>;

/** Plain text does not show that the child is alive; a structured event does, known or not. */
const NOTHING: ParsedLine = { isActivity: false, events: [] };
const ALIVE: ParsedLine = { isActivity: true, events: [] };

/** A streamed fragment is small; a longer line only repeats what `message_end` contains anyway. */
const MAX_DELTA_LINE_BYTES = 64 * 1024;

/**
 * One line of `pi --mode json` in our vocabulary. Tolerant: fields may be missing, wrong or new. Lines that
 * nobody needs (`agent_end` repeats the whole transcript) are recognized by their first bytes and never parsed.
 */
export function parsePiEvent(line: Buffer): ParsedLine {
	const type = peekEventType(line);
	if (type !== undefined && !(type in PARSERS)) return ALIVE;
	if (type === "message_update" && line.length > MAX_DELTA_LINE_BYTES) return ALIVE;
	const event = parseJsonObject(line.toString("utf8"));
	const name = event?.["type"];
	if (!event || typeof name !== "string") return NOTHING;
	const parser = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
	return parser ? { isActivity: true, events: parser(event) } : ALIVE;
}

/**
 * A line that was too long to be kept, by its first bytes. Most such lines repeat earlier text; the end of a
 * tool call is known by its id alone. An answer, or the arguments of a call, are lost.
 */
export function parseSkippedPiEvent(head: Buffer): ReturnType<LineDialect["readSkippedLine"]> {
	const text = head.toString("utf8");
	switch (peekEventType(head)) {
		case "message_end":
			return /"role"\s*:\s*"assistant"/.test(text)
				? { events: [], lost: "an answer of the model" }
				: { events: [] };
		case "tool_execution_start":
			return { events: [], lost: `the arguments of a call of ${findText(text, "toolName") || "a tool"}` };
		case "tool_execution_end": {
			const [id, name] = [findText(text, "toolCallId"), findText(text, "toolName")];
			return { events: id === "" ? [] : [{ type: "tool-end", id, name, isError: false }] };
		}
		case undefined:
			return text.startsWith("{") ? { events: [], lost: "a record of unknown kind" } : { events: [] };
		default:
			return { events: [] };
	}
}

function findText(json: string, field: string): string {
	return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]{1,200})"`).exec(json)?.[1] ?? "";
}

const PARSERS: Readonly<Record<string, (event: JsonObject) => readonly ChildEvent[]>> = {
	turn_start: () => [{ type: "turn-start" }],
	message_update: parseUpdate,
	message_end: (event) => parseMessage(asObject(event["message"])),
	tool_execution_start: (event) => [
		{ type: "tool-start", ...toToolCall(event, "toolCallId", "toolName", "args") },
	],
	tool_execution_end: (event) => [
		{
			type: "tool-end",
			id: asText(event["toolCallId"]),
			name: asText(event["toolName"]),
			isError: event["isError"] === true,
			...defined({
				code: event["isError"] === true ? findResultCode(event["result"]) : undefined,
				exitCode: findExitCode(event["result"]),
			}),
		},
	],
	entry_appended: (event) => parseAppendedEntry(asObject(event["entry"])),
	compaction_end: (event) => parseExtraUsage(asObject(event["result"])["usage"]),
	auto_retry_start: ({ delayMs, errorMessage }) => [
		{
			type: "backoff-start",
			...(typeof delayMs === "number" ? { delayMs } : {}),
			...defined({ reason: asText(errorMessage) || undefined }),
		},
	],
	auto_retry_end: (event) => [{ type: "backoff-end", success: event["success"] === true }],
	agent_settled: (event) => [{ type: "settled", aborted: event["aborted"] === true }],
};

function parseAppendedEntry(entry: JsonObject): readonly ChildEvent[] {
	if (isCorrection(entry)) return [{ type: "correction" }];
	if (entry["type"] !== "custom") return [];
	const data = asObject(entry["data"]);
	const id = asText(data["id"]);
	if (entry["customType"] === REFUSED_ENTRY)
		return [{ type: "tool-refused", id, name: asText(data["name"]), reason: asText(data["reason"]) }];
	const kind = QUESTION_KINDS.find((candidate) => candidate === data["kind"]);
	if (entry["customType"] !== QUESTION_ENTRY || kind === undefined) return [];
	const question: ChildQuestion = {
		...{ id, kind, title: asText(data["title"]), message: asText(data["message"]) },
		options: asList(data["options"]).map(asText),
		tool: asText(data["tool"]),
		args: asObject(data["args"]),
	};
	return [{ type: "question", question }];
}

const QUESTION_KINDS: readonly ChildQuestion["kind"][] = ["confirm", "select", "input"];

function findResultCode(result: unknown): string | undefined {
	const [first] = asList(asObject(result)["content"]);
	return findErrorCode(asText(asObject(first)["text"]));
}

/** Of a command that a tool of ours ran; null when it was stopped. */
function findExitCode(result: unknown): number | null | undefined {
	const exitCode = asObject(asObject(result)["details"])["exitCode"];
	return typeof exitCode === "number" || exitCode === null ? exitCode : undefined;
}

function parseUpdate(event: JsonObject): readonly ChildEvent[] {
	const update = asObject(event["assistantMessageEvent"]);
	switch (update["type"]) {
		case "text_delta":
			return [{ type: "text-delta", text: asText(update["delta"]) }];
		case "thinking_start":
			return [{ type: "generating", what: "thinking" }];
		case "toolcall_start":
			return [{ type: "generating", what: "tool-call" }];
		default:
			return [];
	}
}

function parseMessage(message: JsonObject): readonly ChildEvent[] {
	if (message["role"] === "assistant") return [parseAssistantMessage(message)];
	if (message["role"] === "toolResult") return parseExtraUsage(message["usage"]);
	return [];
}

function isCorrection(entry: JsonObject): boolean {
	return entry["type"] === "custom_message" && entry["customType"] === CORRECTION_MESSAGE;
}

export function parseAssistantMessage(
	message: JsonObject,
): Extract<ChildEvent, { type: "assistant-message" }> {
	const errorMessage = asText(message["errorMessage"]);
	const stopReason = STOP_REASONS.get(asText(message["stopReason"])) ?? "other";
	return {
		type: "assistant-message",
		text: joinTextBlocks(message["content"]).trim(),
		toolCalls: asList(message["content"])
			.map(asObject)
			.filter((block) => block["type"] === "toolCall")
			.map((block) => toToolCall(block, "id", "name", "arguments")),
		stopReason,
		...readModel(message),
		...(errorMessage === "" ? {} : { errorMessage }),
		// A failed request is not a turn: nothing was answered.
		usage: { ...parseUsage(message["usage"]), turns: stopReason === "error" ? 0 : 1 },
	};
}

function readModel(message: JsonObject): { readonly model?: string } {
	const [provider, model] = [asText(message["provider"]), asText(message["model"])];
	return provider === "" || model === "" ? {} : { model: `${provider}/${model}` };
}

function parseExtraUsage(value: unknown): readonly ChildEvent[] {
	return typeof value === "object" && value !== null
		? [{ type: "extra-usage", usage: parseUsage(value) }]
		: [];
}

function toToolCall(table: JsonObject, id: string, name: string, args: string): ToolCallRecord {
	return { id: asText(table[id]), name: asText(table[name]), args: asObject(table[args]) };
}

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
	["stop", "stop"],
	["length", "length"],
	["toolUse", "tool-use"],
	["error", "error"],
	["aborted", "aborted"],
]);

function parseUsage(value: unknown): Usage {
	const usage = asObject(value);
	return {
		...NO_USAGE,
		input: asCount(usage["input"]),
		output: asCount(usage["output"]),
		cacheRead: asCount(usage["cacheRead"]),
		cacheWrite: asCount(usage["cacheWrite"]),
		cost: asCount(asObject(usage["cost"])["total"]),
	};
}
