import { asList, asObject, asText, type JsonObject, parseJsonObject } from "@deputize/ground";
import { NO_USAGE } from "../contract/usage.ts";
import type { SessionEntry } from "./session-entry.ts";

/** An entry of the loop's session file. */
export function parseLoopEntry(fields: JsonObject, at: number): readonly SessionEntry[] {
	switch (fields["kind"]) {
		case "user":
			return [{ kind: "user", at, text: asText(fields["text"]) }];
		case "tools":
			return asList(fields["results"])
				.map(asObject)
				.map(({ id, text, isError }) => ({
					kind: "result",
					at,
					id: asText(id),
					text: asText(text),
					isError: isError === true,
				}));
		case "assistant": {
			const calls = asList(fields["toolCalls"])
				.map(asObject)
				.map(({ id, name, argumentsText }) => ({
					id: asText(id),
					name: asText(name),
					args: parseJsonObject(asText(argumentsText)) ?? { "": asText(argumentsText) },
				}));
			return [{ kind: "assistant", at, text: asText(fields["text"]), thinking: "", calls, usage: NO_USAGE }];
		}
		default:
			return [];
	}
}
