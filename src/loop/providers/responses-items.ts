import { asObject, asText, type JsonObject } from "@deputize/ground";

/** One output item of a response while it is streamed. */
export interface OpenItem {
	readonly itemId: string;
	readonly outputIndex: number | undefined;
	readonly type: string;
	/** What a result of this call is answered with. */
	readonly callId: string;
	name: string;
	argumentsText: string;
	/** Text of a message item that was streamed already. */
	text: string;
	done: boolean;
	final: JsonObject | undefined;
}

const CALL_TYPES = new Set(["function_call", "tool_call"]);

export function isCall(item: Pick<OpenItem, "type">): boolean {
	return CALL_TYPES.has(item.type);
}

/**
 * The item an event is about. Servers differ in what they leave out: it is matched by `item_id`, else by
 * `output_index`, else to the last open one of the wanted kind.
 */
export function findItem(
	items: readonly OpenItem[],
	event: JsonObject,
	wanted: (item: OpenItem) => boolean,
): OpenItem | undefined {
	const itemId = asText(event["item_id"]);
	const index = event["output_index"];
	return (
		items.find((item) => itemId !== "" && item.itemId === itemId && wanted(item)) ??
		items.find((item) => typeof index === "number" && item.outputIndex === index && wanted(item)) ??
		items.findLast((item) => !item.done && wanted(item))
	);
}

/** The item that an event with a whole item repeats. */
export function findSameItem(items: readonly OpenItem[], event: JsonObject): OpenItem | undefined {
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

/** The open item of this kind, for servers that give their items no id at all. */
export function findUnnamedItem(items: readonly OpenItem[], final: JsonObject): OpenItem | undefined {
	if (asText(final["id"]) !== "" || asText(final["call_id"]) !== "") return undefined;
	return items.find((item) => !item.done && item.type === final["type"] && item.itemId === "");
}

/** `count`: how many items there are already, for a call that the server gave no name at all. */
export function createItem(event: JsonObject, count: number): OpenItem {
	const item = asObject(event["item"]);
	const itemId = asText(item["id"]);
	const type = asText(item["type"]);
	const callId = asText(item["call_id"]);
	// The seed answers with the item's id; OpenAI has a separate one for that.
	const named = type === "tool_call" ? itemId || callId : callId || itemId;
	return {
		itemId,
		outputIndex: typeof event["output_index"] === "number" ? event["output_index"] : undefined,
		type,
		callId: CALL_TYPES.has(type) && named === "" ? `call_${count + 1}` : named,
		name: asText(item["name"]),
		argumentsText: "",
		text: "",
		done: false,
		final: undefined,
	};
}

/** The item as the server would have repeated it. */
export function toFinalItem(item: OpenItem): JsonObject {
	if (item.final !== undefined) return item.final;
	if (isCall(item)) return { type: item.type, id: item.itemId, call_id: item.callId };
	return { type: item.type, content: [{ type: "output_text", text: item.text }] };
}
