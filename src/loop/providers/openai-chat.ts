import { asList, asObject } from "@deputize/ground";
import { buildChatBody } from "./build-chat-body.ts";
import { createChatDecoder } from "./decode-chat-stream.ts";
import type { Provider } from "./provider.ts";

export function createOpenaiChatProvider(): Provider {
	return {
		buildBody: buildChatBody,
		buildHeaders: (key) => (key === "" ? {} : { authorization: `Bearer ${key}` }),
		createDecoder: createChatDecoder,
		toStreamEvents(whole) {
			const choice = asObject(asList(whole["choices"])[0]);
			if (choice["message"] === undefined) return undefined;
			const message = asObject(choice["message"]);
			return [{ ...whole, choices: [{ ...choice, delta: message }] }];
		},
	};
}
