import { NO_USAGE, type Usage } from "../../contract/usage.ts";
import type { LoopError } from "../loop-error.ts";
import {
	asCount,
	asList,
	asObject,
	asText,
	type JsonObject,
	type ResponsesDialect,
	type StreamDecoder,
	type TurnOutcome,
	type TurnRequest,
	type TurnSink,
} from "./provider.ts";
import {
	contentFilter,
	isErrorEvent,
	outputLimit,
	refusal,
	toStreamError,
	truncatedStream,
} from "./provider-errors.ts";

interface OpenItem {
	itemId: string;
	outputIndex: number | undefined;
	type: string;
	callId: string;
	name: string;
	argumentsText: string;
	/** Text of a message item that was streamed already. */
	text: string;
	done: boolean;
	final: JsonObject | undefined;
}

const CALL_TYPES = new Set(["function_call", "tool_call"]);

/**
 * Understands both the names OpenAI serves (`function_call`, answered by `call_id`) and those of the seed
 * (`tool_call`, answered by the item's id), and remembers which one the server used. Servers differ in what they
 * leave out: an event is matched to its item by `item_id`, else by `output_index`, else to the last open one.
 */
export function createResponsesDecoder(
	sink: TurnSink,
	request: TurnRequest,
	body: JsonObject,
): StreamDecoder {
	const items: OpenItem[] = [];
	let responseId = "";
	/** Text that no message item was announced for. */
	let looseText = "";
	let refusalText = "";
	let usage: Usage = NO_USAGE;
	let dialect: ResponsesDialect = "openai";
	let completed = false;

	function findItem(event: JsonObject, wanted: (item: OpenItem) => boolean): OpenItem | undefined {
		const itemId = asText(event["item_id"]);
		if (itemId !== "") {
			const byId = items.find((item) => item.itemId === itemId && wanted(item));
			if (byId !== undefined) return byId;
		}
		const index = event["output_index"];
		if (typeof index === "number") {
			const byIndex = items.find((item) => item.outputIndex === index && wanted(item));
			if (byIndex !== undefined) return byIndex;
		}
		return items.findLast((item) => !item.done && wanted(item));
	}

	function findSameItem(event: JsonObject): OpenItem | undefined {
		const item = asObject(event["item"]);
		const itemId = asText(item["id"]);
		const callId = asText(item["call_id"]);
		const index = event["output_index"];
		return items.find(
			(candidate) =>
				(itemId !== "" && candidate.itemId === itemId) ||
				(callId !== "" && candidate.callId === callId) ||
				(itemId === "" && typeof index === "number" && candidate.outputIndex === index),
		);
	}

	function openItem(event: JsonObject): OpenItem {
		const existing = findSameItem(event);
		if (existing !== undefined) return existing;
		const item = asObject(event["item"]);
		const itemId = asText(item["id"]);
		const index = typeof event["output_index"] === "number" ? event["output_index"] : undefined;
		const type = asText(item["type"]);
		const callId = asText(item["call_id"]);
		const opened: OpenItem = {
			itemId,
			outputIndex: index,
			type,
			// The seed answers with the item's id; OpenAI has a separate one for that.
			callId: type === "tool_call" ? itemId || callId : callId || itemId,
			name: asText(item["name"]),
			argumentsText: "",
			text: "",
			done: false,
			final: undefined,
		};
		if (CALL_TYPES.has(type) && opened.callId === "") opened.callId = `call_${items.length + 1}`;
		if (type === "tool_call") dialect = "seed";
		items.push(opened);
		return opened;
	}

	function addArguments(item: OpenItem, delta: string): void {
		if (delta === "" || item.done) return;
		item.argumentsText += delta;
		sink.toolCall(item.callId, delta);
	}

	/** Sets what the server says is the whole, and tells only the part that was not told yet. */
	function completeArguments(item: OpenItem, whole: unknown): void {
		const text = typeof whole === "string" ? whole : whole === undefined ? "" : JSON.stringify(whole);
		if (text === "" || item.done) return;
		if (text.startsWith(item.argumentsText)) addArguments(item, text.slice(item.argumentsText.length));
		item.argumentsText = text;
	}

	function addText(event: JsonObject, delta: string): void {
		if (delta === "") return;
		const item = findItem(event, (candidate) => candidate.type === "message");
		if (item?.done === true) return;
		if (item !== undefined) item.text += delta;
		else looseText += delta;
		sink.text(delta);
	}
	function completeMessage(item: OpenItem, final: JsonObject): void {
		const parts = asList(final["content"]).map(asObject);
		if (refusalText === "") refusalText = parts.map((part) => asText(part["refusal"])).join("");
		const whole = parts
			.filter((part) => part["type"] === "output_text" || part["type"] === "text")
			.map((part) => asText(part["text"]))
			.join("");
		// A server that sends no deltas, or the last piece only here.
		if (looseText === "" && whole.startsWith(item.text) && whole.length > item.text.length) {
			sink.text(whole.slice(item.text.length));
			item.text = whole;
		}
	}

	/** The open item of this kind, for servers that give their items no id at all. */
	function findUnnamed(final: JsonObject): OpenItem | undefined {
		if (asText(final["id"]) !== "" || asText(final["call_id"]) !== "") return undefined;
		return items.find((item) => !item.done && item.type === final["type"] && item.itemId === "");
	}

	function closeItem(event: JsonObject): void {
		const final = asObject(event["item"]);
		const item = findSameItem(event) ?? findUnnamed(final) ?? openItem(event);
		if (item.done) return;
		if (CALL_TYPES.has(item.type)) {
			if (asText(final["name"]) !== "") item.name = asText(final["name"]);
			completeArguments(item, final["arguments"]);
		} else if (item.type === "message") completeMessage(item, final);
		item.final = final;
		item.done = true;
	}

	/** The list that repeats everything. What cannot be matched to something seen is taken only if nothing was seen. */
	function closeFinalOutput(output: readonly JsonObject[]): void {
		const nothingSeen = items.length === 0 && looseText === "";
		for (const item of output) {
			const isNewCall = CALL_TYPES.has(asText(item["type"])) && asText(item["call_id"]) !== "";
			if (nothingSeen || isNewCall || findSameItem({ item }) !== undefined) closeItem({ item });
		}
	}

	function complete(event: JsonObject): void {
		const response = asObject(event["response"]);
		if (responseId === "") responseId = asText(response["id"]);
		usage = parseResponsesUsage(response["usage"]);
		const status = asText(response["status"]);
		if (status === "failed" || status === "cancelled") throw failedResponse(response);
		if (status === "incomplete") throw incompleteResponse(response);
		closeFinalOutput(asList(response["output"]).map(asObject));
		if (refusalText !== "") throw refusal(refusalText);
		if (usedWholeBudget(usage, body)) throw outputLimit(`${usage.output} tokens`);
		completed = true;
	}

	const handlers: Readonly<Record<string, (event: JsonObject) => void>> = {
		"response.created": (event) => {
			responseId = asText(asObject(event["response"])["id"]);
			sink.start(responseId);
		},
		"response.output_text.delta": (event) => addText(event, asText(event["delta"])),
		"response.refusal.delta": (event) => {
			refusalText += asText(event["delta"]);
		},
		"response.reasoning_summary_text.delta": (event) => sink.reasoning(asText(event["delta"])),
		"response.reasoning_text.delta": (event) => sink.reasoning(asText(event["delta"])),
		"response.output_item.added": (event) => {
			const item = openItem(event);
			if (CALL_TYPES.has(item.type)) completeArguments(item, asObject(event["item"])["arguments"]);
		},
		"response.function_call_arguments.delta": addCallDelta,
		"response.tool_call_arguments.delta": addCallDelta,
		"response.function_call_arguments.done": completeCall,
		"response.tool_call_arguments.done": completeCall,
		"response.output_item.done": closeItem,
		"response.completed": complete,
		"response.incomplete": (event) => {
			usage = parseResponsesUsage(asObject(event["response"])["usage"]);
			throw incompleteResponse(asObject(event["response"]));
		},
		"response.failed": (event) => {
			usage = parseResponsesUsage(asObject(event["response"])["usage"]);
			throw failedResponse(asObject(event["response"]));
		},
		"response.cancelled": (event) => {
			throw failedResponse(asObject(event["response"]));
		},
	};

	function addCallDelta(event: JsonObject): void {
		const item = findItem(event, (candidate) => CALL_TYPES.has(candidate.type));
		if (item !== undefined) addArguments(item, asText(event["delta"]));
	}

	function completeCall(event: JsonObject): void {
		const item = findItem(event, (candidate) => CALL_TYPES.has(candidate.type));
		if (item !== undefined) completeArguments(item, event["arguments"]);
	}

	return {
		accept(event) {
			if (completed) return;
			if (isErrorEvent(event)) throw toStreamError(event);
			const handler = handlers[asText(event["type"])];
			handler?.(event);
		},
		acceptDone() {
			// Some servers add it; the terminal event is `response.completed`.
		},
		state: () => (completed ? "closed" : "open"),
		usage: () => usage,
		finish(): TurnOutcome {
			if (!completed) throw truncatedStream("the stream ended before response.completed");
			const calls = items.filter((item) => CALL_TYPES.has(item.type));
			return {
				responseId,
				text: looseText + items.map((item) => item.text).join(""),
				toolCalls: calls.map((item) => ({
					id: item.callId,
					name: item.name,
					argumentsText: item.argumentsText,
				})),
				stop: calls.length > 0 ? "tools" : "end",
				usage,
				native: {
					family: "responses",
					model: request.model,
					content: items.map((item) => item.final ?? rebuildItem(item)),
					dialect,
					responseId,
				},
			};
		},
	};
}

function rebuildItem(item: OpenItem): JsonObject {
	if (CALL_TYPES.has(item.type)) return { type: item.type, id: item.itemId, call_id: item.callId };
	return { type: item.type, content: [{ type: "output_text", text: item.text }] };
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
	return reason === "content_filter" ? contentFilter("") : outputLimit(reason);
}

function failedResponse(response: JsonObject): LoopError {
	const error = asObject(response["error"]);
	return toStreamError({
		error: { message: `The response failed. ${asText(error["message"])}`.trim(), ...error },
	});
}

export function parseResponsesUsage(value: unknown): Usage {
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
