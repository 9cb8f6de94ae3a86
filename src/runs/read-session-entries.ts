import { NO_USAGE, type Usage } from "../contract/usage.ts";
import { joinTextBlocks } from "../json/join-text-blocks.ts";
import { asList, asObject, asText, type JsonObject } from "../json/json-values.ts";
import { parseJsonObject } from "../json/parse-json.ts";
import { readPart } from "../paths/read-part.ts";
import { parseAssistantMessage } from "../runtimes/pi/parse-pi-event.ts";

/** Of a larger file the newest part is read. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** One line of a child's own transcript, in one vocabulary for pi and the loop. Not redacted. */
export type SessionEntry =
	| { readonly kind: "user"; readonly at: number; readonly text: string }
	| {
			readonly kind: "assistant";
			readonly at: number;
			readonly text: string;
			readonly thinking: string;
			readonly calls: readonly SessionCall[];
			readonly model?: string;
			readonly error?: string;
			readonly usage: Usage;
	  }
	| {
			readonly kind: "result";
			readonly at: number;
			readonly id: string;
			readonly text: string;
			readonly isError: boolean;
	  }
	| { readonly kind: "compaction"; readonly at: number };

export interface SessionCall {
	readonly id: string;
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** Lines that are torn or unknown are passed over; a file that is missing or a link is empty. */
export function readSessionEntries(file: string): readonly SessionEntry[] {
	return readNewest(file)
		.split("\n")
		.flatMap((line) => {
			const fields = line === "" ? undefined : parseJsonObject(line);
			return fields === undefined ? [] : parseSessionEntry(fields);
		});
}

function parseSessionEntry(fields: JsonObject): readonly SessionEntry[] {
	const at = Date.parse(asText(fields["timestamp"]));
	if (!Number.isFinite(at)) return [];
	if (fields["type"] === "compaction") return [{ kind: "compaction", at }];
	if (fields["type"] !== "message") return [];
	return "message" in fields ? parsePiMessage(asObject(fields["message"]), at) : parseLoopEntry(fields, at);
}

function parsePiMessage(message: JsonObject, at: number): readonly SessionEntry[] {
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

function parseLoopEntry(fields: JsonObject, at: number): readonly SessionEntry[] {
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

function readNewest(file: string): string {
	const part = readPart(file, (size) => ({
		offset: Math.max(0, size - MAX_READ_BYTES),
		maxBytes: MAX_READ_BYTES,
	}));
	return part?.bytes.toString("utf8") ?? "";
}
