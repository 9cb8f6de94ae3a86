import { asCount, asList, asObject, asText, type JsonObject } from "@deputize/ground";
import { NO_USAGE, type Usage } from "../../contract/usage.ts";
import type { LoopError } from "../loop-error.ts";
import type { ResponsesDialect, StreamDecoder, TurnOutcome, TurnRequest, TurnSink } from "./provider.ts";
import {
	contentFilter,
	isErrorEvent,
	outputLimit,
	refusal,
	toStreamError,
	truncatedStream,
} from "./provider-errors.ts";
import {
	createItem,
	findItem,
	findSameItem,
	findUnnamedItem,
	isCall,
	type OpenItem,
	toFinalItem,
} from "./responses-items.ts";

/** What is known of an answer so far. Every handler takes it one event further. */
interface Answer {
	readonly sink: TurnSink;
	readonly body: JsonObject;
	readonly items: OpenItem[];
	responseId: string;
	/** Text that no message item was announced for. */
	looseText: string;
	refusalText: string;
	usage: Usage;
	dialect: ResponsesDialect;
	completed: boolean;
}

type Handler = (answer: Answer, event: JsonObject) => void;

/**
 * Understands both the names OpenAI serves (`function_call`, answered by `call_id`) and those of the seed
 * (`tool_call`, answered by the item's id), and remembers which one the server used.
 */
export function createResponsesDecoder(
	sink: TurnSink,
	request: TurnRequest,
	body: JsonObject,
): StreamDecoder {
	const answer: Answer = {
		sink,
		body,
		items: [],
		responseId: "",
		looseText: "",
		refusalText: "",
		usage: NO_USAGE,
		dialect: "openai",
		completed: false,
	};
	return {
		accept(event) {
			if (answer.completed) return;
			if (isErrorEvent(event)) throw toStreamError(event);
			HANDLERS[asText(event["type"])]?.(answer, event);
		},
		acceptDone() {
			// Some servers add it; the terminal event is `response.completed`.
		},
		state: () => (answer.completed ? "closed" : "open"),
		usage: () => answer.usage,
		finish: () => toTurnOutcome(answer, request.model),
	};
}

const HANDLERS: Readonly<Record<string, Handler>> = {
	"response.created": start,
	"response.output_text.delta": (answer, event) => addText(answer, event, asText(event["delta"])),
	"response.refusal.delta": (answer, event) => {
		answer.refusalText += asText(event["delta"]);
	},
	"response.reasoning_summary_text.delta": addReasoning,
	"response.reasoning_text.delta": addReasoning,
	"response.output_item.added": announceItem,
	"response.function_call_arguments.delta": addCallDelta,
	"response.tool_call_arguments.delta": addCallDelta,
	"response.function_call_arguments.done": completeCall,
	"response.tool_call_arguments.done": completeCall,
	"response.output_item.done": closeItem,
	"response.completed": complete,
	"response.incomplete": (answer, event) => {
		throw incompleteResponse(readResponse(answer, event));
	},
	"response.failed": (answer, event) => {
		throw failedResponse(readResponse(answer, event));
	},
	"response.cancelled": (_answer, event) => {
		throw failedResponse(asObject(event["response"]));
	},
};

function start(answer: Answer, event: JsonObject): void {
	answer.responseId = asText(asObject(event["response"])["id"]);
	answer.sink.start(answer.responseId);
}

function addReasoning(answer: Answer, event: JsonObject): void {
	answer.sink.reasoning(asText(event["delta"]));
}

function openItem(answer: Answer, event: JsonObject): OpenItem {
	const existing = findSameItem(answer.items, event);
	if (existing !== undefined) return existing;
	const opened = createItem(event, answer.items.length);
	if (opened.type === "tool_call") answer.dialect = "seed";
	answer.items.push(opened);
	return opened;
}

function announceItem(answer: Answer, event: JsonObject): void {
	const item = openItem(answer, event);
	if (isCall(item)) completeArguments(answer, item, asObject(event["item"])["arguments"]);
}

function addArguments(answer: Answer, item: OpenItem, delta: string): void {
	if (delta === "" || item.done) return;
	item.argumentsText += delta;
	answer.sink.toolCall(item.callId, delta, item.name);
}

/** Sets what the server says is the whole, and passes on only the part that was not passed on yet. */
function completeArguments(answer: Answer, item: OpenItem, whole: unknown): void {
	const text = typeof whole === "string" ? whole : whole === undefined ? "" : JSON.stringify(whole);
	if (text === "" || item.done) return;
	if (text.startsWith(item.argumentsText)) addArguments(answer, item, text.slice(item.argumentsText.length));
	item.argumentsText = text;
}

function addCallDelta(answer: Answer, event: JsonObject): void {
	const item = findItem(answer.items, event, isCall);
	if (item !== undefined) addArguments(answer, item, asText(event["delta"]));
}

function completeCall(answer: Answer, event: JsonObject): void {
	const item = findItem(answer.items, event, isCall);
	if (item !== undefined) completeArguments(answer, item, event["arguments"]);
}

function addText(answer: Answer, event: JsonObject, delta: string): void {
	if (delta === "") return;
	const item = findItem(answer.items, event, (candidate) => candidate.type === "message");
	if (item?.done === true) return;
	if (item !== undefined) item.text += delta;
	else answer.looseText += delta;
	answer.sink.text(delta);
}

function completeMessage(answer: Answer, item: OpenItem, final: JsonObject): void {
	const parts = asList(final["content"]).map(asObject);
	if (answer.refusalText === "") answer.refusalText = parts.map((part) => asText(part["refusal"])).join("");
	const whole = parts
		.filter((part) => part["type"] === "output_text" || part["type"] === "text")
		.map((part) => asText(part["text"]))
		.join("");
	// A server that sends no deltas, or the last piece only here.
	if (answer.looseText === "" && whole.startsWith(item.text) && whole.length > item.text.length) {
		answer.sink.text(whole.slice(item.text.length));
		item.text = whole;
	}
}

function closeItem(answer: Answer, event: JsonObject): void {
	const { items } = answer;
	const final = asObject(event["item"]);
	const item = findSameItem(items, event) ?? findUnnamedItem(items, final) ?? openItem(answer, event);
	if (item.done) return;
	if (isCall(item)) {
		if (asText(final["name"]) !== "") item.name = asText(final["name"]);
		completeArguments(answer, item, final["arguments"]);
	} else if (item.type === "message") completeMessage(answer, item, final);
	item.final = final;
	item.done = true;
}

/** The list that repeats everything. What cannot be matched to something seen is taken only if nothing was seen. */
function closeFinalOutput(answer: Answer, output: readonly JsonObject[]): void {
	const nothingSeen = answer.items.length === 0 && answer.looseText === "";
	for (const item of output) {
		const isNewCall = isCall({ type: asText(item["type"]) }) && asText(item["call_id"]) !== "";
		if (nothingSeen || isNewCall || findSameItem(answer.items, { item }) !== undefined) {
			closeItem(answer, { item });
		}
	}
}

/** The response an event carries. What it cost counts, whatever came of it. */
function readResponse(answer: Answer, event: JsonObject): JsonObject {
	const response = asObject(event["response"]);
	answer.usage = parseResponsesUsage(response["usage"]);
	return response;
}

function complete(answer: Answer, event: JsonObject): void {
	const response = readResponse(answer, event);
	if (answer.responseId === "") answer.responseId = asText(response["id"]);
	const status = asText(response["status"]);
	if (status === "failed" || status === "cancelled") throw failedResponse(response);
	if (status === "incomplete") throw incompleteResponse(response);
	closeFinalOutput(answer, asList(response["output"]).map(asObject));
	if (answer.refusalText !== "") throw refusal(answer.refusalText);
	if (usedWholeBudget(answer.usage, answer.body)) throw outputLimit(`${answer.usage.output} tokens`);
	answer.completed = true;
}

function toTurnOutcome(
	{ completed, items, looseText, responseId, usage, dialect }: Answer,
	model: string,
): TurnOutcome {
	if (!completed) throw truncatedStream("the stream ended before response.completed");
	const calls = items.filter(isCall);
	return {
		text: looseText + items.map((item) => item.text).join(""),
		toolCalls: calls.map(({ callId, name, argumentsText }) => ({ id: callId, name, argumentsText })),
		stop: calls.length > 0 ? "tools" : "end",
		usage,
		native: { family: "responses", model, content: items.map(toFinalItem), dialect, responseId },
	};
}

/**
 * Some servers end with `completed` even when the limit cut the answer off. Spending the whole budget to the last
 * token by chance is far less likely than having been cut.
 */
function usedWholeBudget(usage: Usage, body: JsonObject): boolean {
	const limit = asCount(body["max_output_tokens"]);
	return limit > 0 && usage.output >= limit;
}

function incompleteResponse(response: JsonObject): LoopError {
	const reason = asText(asObject(response["incomplete_details"])["reason"]) || "unknown reason";
	return reason === "content_filter" ? contentFilter() : outputLimit(reason);
}

function failedResponse(response: JsonObject): LoopError {
	const error = asObject(response["error"]);
	return toStreamError({
		error: { message: `The response failed. ${asText(error["message"])}`.trim(), ...error },
	});
}

function parseResponsesUsage(value: unknown): Usage {
	const fields = asObject(value);
	const details = asObject(fields["input_tokens_details"]);
	const cacheRead = asCount(details["cached_tokens"]);
	const cacheWrite = asCount(details["cache_write_tokens"]);
	return {
		input: Math.max(0, asCount(fields["input_tokens"]) - cacheRead - cacheWrite),
		output: asCount(fields["output_tokens"]),
		cacheRead,
		cacheWrite,
		cost: asCount(fields["cost"]),
		turns: 1,
	};
}
