import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import { createCodexReader } from "../../../../src/runtimes/codex/read-codex-events.ts";

const message = (text: string) => ({
	type: "item.completed",
	item: { id: "m", type: "agent_message", text },
});
const command = (id: string, exit_code: number | null) => ({
	type: exit_code === null ? "item.started" : "item.completed",
	item: { id, type: "command_execution", command: "cat a", exit_code, aggregated_output: "printed" },
});
const end = {
	type: "turn.completed",
	usage: { input_tokens: 100, cached_input_tokens: 10, output_tokens: 5 },
};

function readAll(events: readonly object[], options: { handsOver?: boolean; spent?: typeof NO_USAGE } = {}) {
	const reader = createCodexReader({ handsOver: true, model: "gpt-x", spent: NO_USAGE, ...options });
	const read = events.flatMap((event) => reader.read(event as Record<string, unknown>));
	return { reader, read, types: read.map((event) => event.type) };
}

describe("the events of Codex", () => {
	it("begin a turn with the first step after a call", () => {
		const { read, types } = readAll([
			{ type: "thread.started", thread_id: "T" },
			message("Look"),
			command("c1", null),
			command("c1", 1),
			message('{"status":"SUCCESS","result":"R","error":""}'),
			end,
		]);
		expect(types).toEqual([
			...["turn-start", "assistant-message", "assistant-message", "tool-start", "tool-end"],
			...["turn-start", "assistant-message", "extra-usage", "tool-start", "tool-end", "settled"],
		]);
		const messages = read.filter((event) => event.type === "assistant-message");
		expect(messages.map(({ text, stopReason, usage }) => [text, stopReason, usage.turns])).toEqual([
			["Look", "tool-use", 1],
			["", "tool-use", 0],
			["", "stop", 1],
		]);
		expect(read[4]).toEqual({ type: "tool-end", id: "c1", name: "shell", isError: true, output: "printed" });
		expect(read[8]).toMatchObject({ name: "subagent_finalize", args: { status: "SUCCESS", result: "R" } });
	});

	it("charge a run with its own part of the session", () => {
		const spent = { ...NO_USAGE, input: 50, cacheRead: 10, output: 1 };
		const { read } = readAll([message("{}"), end], { spent });
		expect(read.find((event) => event.type === "extra-usage")).toMatchObject({
			usage: { input: 40, cacheRead: 0, output: 4 },
		});
	});

	it.each([
		["is no JSON", true, "plain words"],
		["need not be JSON", false, '{"a":1}'],
	])("keep the text of a last message that %s", (_, handsOver, text) => {
		const { read, types } = readAll([message(text), end], { handsOver });
		expect(types).not.toContain("tool-start");
		expect(read.find((event) => event.type === "assistant-message")).toMatchObject({
			text,
			stopReason: "stop",
		});
	});

	it("end at the first try when the login does not work", () => {
		const { read, reader } = readAll([
			{
				type: "error",
				message: "Reconnecting... 1/5 (unexpected status 401 Unauthorized: no, url: http://x/v1/responses)",
			},
			message("late"),
		]);
		expect(read).toMatchObject([
			{
				stopReason: "error",
				errorFacts: { status: 401 },
				errorMessage: expect.stringMatching(/^unexpected status 401/),
			},
			{ type: "settled" },
		]);
		expect(reader.isHopeless()).toBe(true);
	});

	it("take other errors for waiting, and tell the last one in plain words", () => {
		const { read, types } = readAll([
			{ type: "error", message: "Reconnecting... 1/5 (unexpected status 429 Too Many Requests)" },
			{ type: "error", message: "Reconnecting... 2/5 (unexpected status 429 Too Many Requests)" },
			{ type: "turn.failed", error: { message: '{"error":{"message":"the context is too long"}}' } },
		]);
		expect(types).toEqual(["backoff-start", "backoff-end", "assistant-message", "settled"]);
		expect(read[2]).toMatchObject({ errorMessage: "the context is too long" });
	});

	it("of unknown kinds say nothing", () => {
		const warning = { type: "item.completed", item: { id: "w", type: "error", message: "deprecated" } };
		expect(readAll([warning, { type: "news" }, {}]).read).toEqual([]);
	});
});
