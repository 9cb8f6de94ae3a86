import { asList, asObject, asText, type JsonObject, joinTextBlocks } from "@deputize/ground";
import { toClaudeUsage } from "../runtimes/claude/to-claude-usage.ts";
import { toOurToolName } from "../runtimes/claude/to-our-tool-name.ts";
import type { SessionEntry } from "./session-entry.ts";

/** A message of Claude Code's transcript. Each block of an answer is on a line of its own, with the id of the answer. */
export function parseClaudeMessage(message: JsonObject, at: number): readonly SessionEntry[] {
	const blocks = asList(message["content"]).map(asObject);
	const ofType = (type: string) => blocks.filter((block) => block["type"] === type);
	if (message["role"] === "assistant")
		return [
			{
				kind: "assistant",
				at,
				answerId: asText(message["id"]),
				text: joinTextBlocks(message["content"]),
				thinking: ofType("thinking")
					.map((block) => asText(block["thinking"]))
					.join("\n"),
				calls: ofType("tool_use").map(({ id, name, input }) => ({
					id: asText(id),
					name: toOurToolName(asText(name)),
					args: asObject(input),
				})),
				model: `anthropic/${asText(message["model"])}`,
				usage: { ...toClaudeUsage(asObject(message["usage"])), turns: 1 },
			},
		];
	const text = joinTextBlocks(message["content"]);
	return [
		...ofType("tool_result").map((block) => ({
			kind: "result" as const,
			at,
			id: asText(block["tool_use_id"]),
			text: joinTextBlocks(block["content"], "[image]"),
			isError: block["is_error"] === true,
		})),
		...(text ? [{ kind: "user" as const, at, text }] : []),
	];
}
