import { asList, asObject, asText, type JsonObject, joinTextBlocks } from "@deputize/ground";
import { parseAssistantMessage } from "../runtimes/pi/parse-pi-event.ts";
import type { SessionEntry } from "./session-entry.ts";

/** A message of pi's session file. */
export function parsePiMessage(message: JsonObject, at: number): readonly SessionEntry[] {
	switch (message["role"]) {
		case "user":
			return [{ kind: "user", at, text: joinTextBlocks(message["content"], "[image]") }];
		case "toolResult":
			return [
				{
					kind: "result",
					at,
					id: asText(message["toolCallId"]),
					text: joinTextBlocks(message["content"], "[image]"),
					isError: message["isError"] === true,
				},
			];
		case "assistant": {
			const { text, toolCalls, usage, model, errorMessage } = parseAssistantMessage(message);
			const thinking = asList(message["content"])
				.map((block) => asText(asObject(block)["thinking"]))
				.filter(Boolean)
				.join("\n");
			const more = { ...(model ? { model } : {}), ...(errorMessage ? { error: errorMessage } : {}) };
			return [{ kind: "assistant", at, text, thinking, calls: toolCalls, usage, ...more }];
		}
		default:
			return [];
	}
}
