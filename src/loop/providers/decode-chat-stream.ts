import { asCount, asList, asObject, asText, isObject, type JsonObject } from "@deputize/ground";
import { NO_USAGE, type Usage } from "../../contract/usage.ts";
import { createThoughtSplitter } from "./create-thought-splitter.ts";
import {
	type StreamDecoder,
	type TurnOutcome,
	type TurnRequest,
	type TurnSink,
	wasCutInCall,
} from "./provider.ts";
import {
	contentFilter,
	isErrorEvent,
	outputLimit,
	refusal,
	toStreamError,
	truncatedStream,
} from "./provider-errors.ts";

interface OpenCall {
	index: number | undefined;
	id: string;
	name: string;
	argumentsText: string;
}

/**
 * Chunks without names. The answer is whole once a `finish_reason` came; usage and `[DONE]` may follow. A `[DONE]`
 * alone does not say how the answer ended, so it is not enough.
 */
export function createChatDecoder(
	sink: TurnSink,
	request: TurnRequest,
	body: JsonObject = {},
): StreamDecoder {
	const calls: OpenCall[] = [];
	let responseId = "";
	let model = "";
	let text = "";
	let reasoning = "";
	let refusalText = "";
	let finishReason = "";
	let usage: Usage = { ...NO_USAGE, turns: 1 };
	let sawUsage = false;
	let sawDone = false;

	const thoughts = createThoughtSplitter({
		text(delta) {
			text += delta;
			sink.text(delta);
		},
		reasoning: (delta) => sink.reasoning(delta),
	});

	function addReasoning(delta: JsonObject): void {
		const standard = asText(delta["reasoning_content"]);
		reasoning += standard;
		const piece = standard || asText(delta["reasoning"]);
		if (piece !== "") sink.reasoning(piece);
	}

	/** By index; some vendors leave it out or always send 0, then a new id together with a name begins a new call. */
	function findCall(fragment: JsonObject): OpenCall | undefined {
		const index = fragment["index"];
		const id = asText(fragment["id"]);
		const named = asText(asObject(fragment["function"])["name"]) !== "";
		const byId = id === "" ? undefined : calls.find((call) => call.id === id);
		if (byId !== undefined) return byId;
		if (typeof index === "number") {
			const byIndex = calls.findLast((call) => call.index === index);
			return byIndex !== undefined && named && id !== "" ? undefined : byIndex;
		}
		return named ? undefined : calls.at(-1);
	}

	function addCallFragment(fragment: JsonObject): void {
		const details = asObject(fragment["function"]);
		let call = findCall(fragment);
		if (call === undefined) {
			call = {
				index: typeof fragment["index"] === "number" ? fragment["index"] : undefined,
				id: asText(fragment["id"]) || `call_${calls.length + 1}`,
				name: "",
				argumentsText: "",
			};
			calls.push(call);
		}
		if (call.name === "") call.name = asText(details["name"]);
		const piece = details["arguments"];
		const delta = isObject(piece) ? JSON.stringify(piece) : asText(piece);
		if (delta === "") return;
		call.argumentsText += delta;
		sink.toolCall(call.id, delta, call.name);
	}

	function acceptChoice(choice: JsonObject): void {
		const delta = asObject(choice["delta"]);
		addReasoning(delta);
		thoughts.push(joinContent(delta["content"]));
		refusalText += asText(delta["refusal"]);
		for (const fragment of asList(delta["tool_calls"])) addCallFragment(asObject(fragment));
		const reason = asText(choice["finish_reason"]);
		if (reason !== "" && finishReason === "") finishReason = reason;
		if (reason === "error")
			throw toStreamError({ error: choice["error"] ?? { message: "finish_reason error" } });
	}

	return {
		accept(event) {
			if (isErrorEvent(event)) throw toStreamError(event);
			if (responseId === "" && asText(event["id"]) !== "") {
				responseId = asText(event["id"]);
				sink.start(responseId);
			}
			model ||= asText(event["model"]);
			if (isObject(event["usage"])) {
				usage = parseChatUsage(event["usage"]);
				sawUsage = true;
			}
			const choice = asList(event["choices"])[0];
			if (isObject(choice)) acceptChoice(choice);
		},
		acceptDone() {
			sawDone = true;
		},
		state() {
			if (sawDone) return "closed";
			if (finishReason === "") return "open";
			return sawUsage ? "closed" : "settled";
		},
		usage: () => usage,
		finish(): TurnOutcome {
			thoughts.end();
			if (finishReason === "") throw truncatedStream("the stream ended before a finish_reason");
			if (refusalText !== "") throw refusal(refusalText);
			if (finishReason === "length") throw outputLimit("finish_reason length");
			if (finishReason === "content_filter") throw contentFilter();
			if (wasCutInCall(calls, usage, body)) throw outputLimit(`${usage.output} tokens`);
			return {
				text,
				toolCalls: calls.map(({ id, name, argumentsText }) => ({ id, name, argumentsText })),
				stop: calls.length > 0 ? "tools" : "end",
				usage,
				...(model && { model }),
				native: {
					family: "chat",
					model: request.model,
					content: reasoning === "" ? [] : [{ reasoning_content: reasoning }],
				},
			};
		},
	};
}

/** Text, `null`, or a list of parts. */
function joinContent(content: unknown): string {
	if (!Array.isArray(content)) return asText(content);
	return content.map((part) => asText(asObject(part)["text"])).join("");
}

function parseChatUsage(value: unknown): Usage {
	const fields = asObject(value);
	const details = asObject(fields["prompt_tokens_details"]);
	const cacheRead = asCount(details["cached_tokens"]);
	return {
		input: Math.max(0, asCount(fields["prompt_tokens"]) - cacheRead),
		output: asCount(fields["completion_tokens"]),
		cacheRead,
		cacheWrite: 0,
		cost: asCount(fields["cost"]),
		turns: 1,
	};
}
