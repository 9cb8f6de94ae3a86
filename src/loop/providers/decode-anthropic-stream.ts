import { asCount, asObject, asText, isObject, type JsonObject } from "@deputize/ground";
import { NO_USAGE, type Usage } from "../../contract/usage.ts";
import {
	parseArguments,
	type StreamDecoder,
	type TurnOutcome,
	type TurnRequest,
	type TurnSink,
	wasCutInCall,
} from "./provider.ts";
import {
	isErrorEvent,
	outputLimit,
	refusal,
	toShortLine,
	toStreamError,
	truncatedStream,
} from "./provider-errors.ts";

interface OpenBlock {
	readonly index: number;
	/** The block as it began; deltas are added to it so that it can be sent back word for word. */
	readonly block: JsonObject;
	argumentsText: string;
}

/** Blocks are kept by index: some servers begin the next one before they end the last. */
export function createAnthropicDecoder(
	sink: TurnSink,
	request: TurnRequest,
	body: JsonObject = {},
): StreamDecoder {
	const blocks = new Map<number, OpenBlock>();
	let stopReason = "";
	let stopDetails = "";
	let usage: Usage = { ...NO_USAGE, turns: 1 };
	let stopped = false;

	function startBlock(event: JsonObject): void {
		const index = asCount(event["index"]);
		if (blocks.has(index)) return;
		const block = { ...asObject(event["content_block"]) };
		const open: OpenBlock = { index, block, argumentsText: "" };
		blocks.set(index, open);
		if (block["type"] === "text" && asText(block["text"]) !== "") sink.text(asText(block["text"]));
		if (block["type"] === "thinking" && asText(block["thinking"]) !== "")
			sink.reasoning(asText(block["thinking"]));
		if (block["type"] === "tool_use" && isObject(block["input"]) && Object.keys(block["input"]).length > 0) {
			sink.toolCall(asText(block["id"]), JSON.stringify(block["input"]), asText(block["name"]));
		}
	}

	function append(open: OpenBlock, field: string, piece: string): void {
		open.block[field] = asText(open.block[field]) + piece;
	}

	function addDelta(event: JsonObject): void {
		const open = blocks.get(asCount(event["index"]));
		if (open === undefined) return;
		const delta = asObject(event["delta"]);
		const text = asText(delta["text"]);
		const thinking = asText(delta["thinking"]);
		const json = asText(delta["partial_json"]);
		if (delta["type"] === "text_delta" && text !== "") {
			append(open, "text", text);
			sink.text(text);
		} else if (delta["type"] === "thinking_delta" && thinking !== "") {
			append(open, "thinking", thinking);
			sink.reasoning(thinking);
		} else if (delta["type"] === "signature_delta") append(open, "signature", asText(delta["signature"]));
		else if (delta["type"] === "input_json_delta" && json !== "") {
			open.argumentsText += json;
			sink.toolCall(asText(open.block["id"]), json, asText(open.block["name"]));
		}
	}

	const handlers: Readonly<Record<string, (event: JsonObject) => void>> = {
		message_start(event) {
			const message = asObject(event["message"]);
			usage = mergeUsage(usage, message["usage"]);
			sink.start(asText(message["id"]));
		},
		content_block_start: startBlock,
		content_block_delta: addDelta,
		message_delta(event) {
			const delta = asObject(event["delta"]);
			if (asText(delta["stop_reason"]) !== "") stopReason = asText(delta["stop_reason"]);
			const details = asObject(delta["stop_details"]);
			stopDetails = asText(details["explanation"]) || asText(details["category"]) || stopDetails;
			usage = mergeUsage(usage, event["usage"]);
		},
		message_stop() {
			stopped = true;
		},
	};

	function readCalls() {
		return [...blocks.values()]
			.filter((open) => open.block["type"] === "tool_use")
			.map((open) => ({
				id: asText(open.block["id"]),
				name: asText(open.block["name"]),
				argumentsText: open.argumentsText || JSON.stringify(asObject(open.block["input"])),
			}));
	}

	return {
		accept(event) {
			if (isErrorEvent(event)) throw toStreamError(event);
			handlers[asText(event["type"])]?.(event);
		},
		acceptDone() {
			// Not part of this protocol; the terminal event is `message_stop`.
		},
		state: () => (stopped ? "closed" : "open"),
		usage: () => usage,
		finish(): TurnOutcome {
			if (!stopped) throw truncatedStream("the stream ended before message_stop");
			if (stopReason === "") throw truncatedStream("no stop_reason was given");
			if (stopReason === "max_tokens" || stopReason === "model_context_window_exceeded") {
				throw outputLimit(stopReason);
			}
			const text = [...blocks.values()].map((open) => asText(open.block["text"])).join("");
			if (stopReason === "refusal") throw refusal(toShortLine(stopDetails));
			const toolCalls = readCalls();
			if (wasCutInCall(toolCalls, usage, body)) throw outputLimit(`${usage.output} tokens`);
			return {
				text,
				toolCalls,
				stop: stopReason === "pause_turn" ? "pause" : toolCalls.length > 0 ? "tools" : "end",
				usage,
				native: { family: "anthropic", model: request.model, content: rebuildContent(blocks) },
			};
		},
	};
}

/** In order, thinking with its signature included; empty text blocks are left out because the API refuses them. */
function rebuildContent(blocks: ReadonlyMap<number, OpenBlock>): readonly JsonObject[] {
	return [...blocks.values()]
		.sort((left, right) => left.index - right.index)
		.filter(({ block }) => block["type"] !== "text" || asText(block["text"]) !== "")
		.map(({ block, argumentsText }) =>
			block["type"] === "tool_use"
				? {
						...block,
						input: argumentsText === "" ? asObject(block["input"]) : (parseArguments(argumentsText) ?? {}),
					}
				: block,
		);
}

/** Counts in later events are totals, not additions. Cached input is not part of `input_tokens` here. */
function mergeUsage(before: Usage, value: unknown): Usage {
	const fields = asObject(value);
	return {
		input: asCount(fields["input_tokens"]) || before.input,
		output: asCount(fields["output_tokens"]) || before.output,
		cacheRead: asCount(fields["cache_read_input_tokens"]) || before.cacheRead,
		cacheWrite: asCount(fields["cache_creation_input_tokens"]) || before.cacheWrite,
		cost: before.cost,
		turns: 1,
	};
}
