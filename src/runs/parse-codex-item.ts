import { asList, asObject, asText, type JsonObject, parseJsonObject } from "@deputize/ground";
import { NO_USAGE } from "../contract/usage.ts";
import type { SessionEntry } from "./session-entry.ts";

/** What Codex says to the model in the user's name begins with a tag, such as the description of its surroundings. */
const OWN_WORDS = /^\s*</;
const FAILED = /^Process exited with code [1-9]/m;

/** An item of Codex's transcript. It has no usage of single answers. */
export function parseCodexItem(item: JsonObject, at: number): readonly SessionEntry[] {
	const answer = {
		kind: "assistant",
		at,
		text: "",
		thinking: "",
		calls: [],
		usage: { ...NO_USAGE, turns: 1 },
	} as const;
	switch (item["type"]) {
		case "message": {
			const text = asList(item["content"])
				.map((part) => asText(asObject(part)["text"]))
				.join("\n");
			if (item["role"] === "assistant") return [{ ...answer, text }];
			return item["role"] === "user" && !OWN_WORDS.test(text) ? [{ kind: "user", at, text }] : [];
		}
		case "function_call":
		case "custom_tool_call": {
			const input = asText(item["arguments"] ?? item["input"]);
			const call = { id: asText(item["call_id"]), name: asText(item["name"]) };
			const args = parseJsonObject(input) ?? { input };
			return [{ ...answer, calls: [{ ...call, args }], usage: NO_USAGE }];
		}
		case "function_call_output":
		case "custom_tool_call_output": {
			const text = asText(item["output"]);
			return [{ kind: "result", at, id: asText(item["call_id"]), text, isError: FAILED.test(text) }];
		}
		default:
			return [];
	}
}
