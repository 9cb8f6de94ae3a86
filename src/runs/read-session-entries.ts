import {
	asObject,
	asText,
	type JsonObject,
	mapSteps,
	parseJsonObject,
	readPart,
	type Steps,
} from "@deputize/ground";
import { parseClaudeMessage } from "./parse-claude-message.ts";
import { parseCodexItem } from "./parse-codex-item.ts";
import { parseLoopEntry } from "./parse-loop-entry.ts";
import { parsePiMessage } from "./parse-pi-message.ts";
import type { SessionAnswer, SessionEntry } from "./session-entry.ts";

/** Of a larger file the newest part is read. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** Lines that are torn or unknown are passed over; a file that is missing or a link is empty. */
export function* readSessionEntries(file: string): Steps<readonly SessionEntry[]> {
	const parsed = yield* mapSteps(readNewest(file).split("\n"), (line) => {
		const fields = line === "" ? undefined : parseJsonObject(line);
		return fields === undefined ? [] : parseSessionEntry(fields);
	});
	return joinAnswers(parsed.flat());
}

function parseSessionEntry(fields: JsonObject): readonly SessionEntry[] {
	const at = Date.parse(asText(fields["timestamp"]));
	if (!Number.isFinite(at)) return [];
	const message = asObject(fields["message"]);
	switch (fields["type"]) {
		case "compaction":
			return [{ kind: "compaction", at }];
		case "message":
			return "message" in fields ? parsePiMessage(message, at) : parseLoopEntry(fields, at);
		case "assistant":
		case "user":
			return parseClaudeMessage(message, at);
		case "response_item":
			return parseCodexItem(asObject(fields["payload"]), at);
		default:
			return [];
	}
}

/** The parts of one answer become one entry, at the place of the first. */
function joinAnswers(entries: readonly SessionEntry[]): readonly SessionEntry[] {
	const answers = new Map<string, SessionAnswer>();
	for (const entry of entries) {
		if (entry.kind !== "assistant" || !entry.answerId) continue;
		const before = answers.get(entry.answerId);
		const join = (name: "text" | "thinking") => [before?.[name], entry[name]].filter(Boolean).join("\n");
		const joined = {
			text: join("text"),
			thinking: join("thinking"),
			calls: [...(before?.calls ?? []), ...entry.calls],
		};
		answers.set(entry.answerId, { ...entry, at: before?.at ?? entry.at, ...joined });
	}
	return entries.flatMap((entry) => {
		if (entry.kind !== "assistant" || !entry.answerId) return [entry];
		const answer = answers.get(entry.answerId);
		answers.delete(entry.answerId);
		return answer ?? [];
	});
}

function readNewest(file: string): string {
	const part = readPart(file, (size) => ({
		offset: Math.max(0, size - MAX_READ_BYTES),
		maxBytes: MAX_READ_BYTES,
	}));
	return part?.bytes.toString("utf8") ?? "";
}
