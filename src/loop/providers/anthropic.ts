import { asList, asObject, type JsonObject } from "@deputize/ground";
import { buildAnthropicBody, buildVertexBody } from "./build-anthropic-body.ts";
import { createAnthropicDecoder } from "./decode-anthropic-stream.ts";
import type { Provider } from "./provider.ts";

/** The version every gateway supports. The later one removes fields and renames the key header. */
const API_VERSION = "2023-06-01";

export function createAnthropicProvider(version = API_VERSION): Provider {
	return {
		buildBody: buildAnthropicBody,
		buildHeaders: (key) => ({ "anthropic-version": version, ...(key === "" ? {} : { "x-api-key": key }) }),
		createDecoder: createAnthropicDecoder,
		toStreamEvents,
	};
}

export function createVertexProvider(): Provider {
	return {
		...createAnthropicProvider(),
		buildBody: buildVertexBody,
		buildHeaders: (key) => (key === "" ? {} : { authorization: `Bearer ${key}` }),
	};
}

function toStreamEvents(whole: JsonObject): readonly JsonObject[] | undefined {
	if (!Array.isArray(whole["content"])) return undefined;
	const blocks = asList(whole["content"]).map(asObject);
	return [
		{ type: "message_start", message: { ...whole, content: [] } },
		...blocks.map((block, index) => ({ type: "content_block_start", index, content_block: block })),
		{ type: "message_delta", delta: { stop_reason: whole["stop_reason"] }, usage: whole["usage"] },
		{ type: "message_stop" },
	];
}
