import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePiEvent } from "../../../../src/runtimes/pi/parse-pi-event.ts";

const parse = (event: unknown) =>
	parsePiEvent(Buffer.from(typeof event === "string" ? event : JSON.stringify(event)));
const USAGE = { input: 100, output: 20, cacheRead: 5, cacheWrite: 1, cost: { total: 0.25 } };

describe("parsePiEvent", () => {
	it("reads an assistant message with text, calls, usage and how it ended", () => {
		const { events } = parse({
			type: "message_end",
			message: {
				role: "assistant",
				content: [
					{ type: "text", text: "one" },
					{ type: "thinking", thinking: "secret thoughts" },
					{ type: "text", text: "two" },
					{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
				],
				usage: USAGE,
				stopReason: "toolUse",
			},
		});
		expect(events).toEqual([
			{
				type: "assistant-message",
				text: "one\ntwo",
				toolCalls: [{ id: "c1", name: "read", args: { path: "a" } }],
				stopReason: "tool-use",
				usage: { input: 100, output: 20, cacheRead: 5, cacheWrite: 1, cost: 0.25, turns: 1 },
			},
		]);
	});

	it("counts a message once although turn_end and agent_end repeat it", () => {
		const message = { role: "assistant", content: [], usage: USAGE, stopReason: "stop" };
		for (const event of [
			{ type: "turn_end", message },
			{ type: "agent_end", messages: [message] },
		]) {
			expect(parse(event)).toEqual({ isActivity: true, events: [] });
		}
	});

	it.each([
		[
			{ type: "tool_execution_start", toolCallId: "1", toolName: "grep", args: { a: 1 } },
			{ type: "tool-start", id: "1", name: "grep", args: { a: 1 } },
		],
		[
			{ type: "tool_execution_end", toolCallId: "1", toolName: "grep", isError: true, result: {} },
			{ type: "tool-end", id: "1", name: "grep", isError: true },
		],
		[
			{ type: "message_update", assistantMessageEvent: { type: "text_delta", delta: "x" } },
			{ type: "text-delta", text: "x" },
		],
		[
			{ type: "compaction_end", result: { usage: { input: 3 } } },
			{ type: "extra-usage", usage: { input: 3, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, turns: 0 } },
		],
		[{ type: "auto_retry_start", attempt: 1 }, { type: "backoff-start" }],
		[
			{ type: "auto_retry_end", success: false },
			{ type: "backoff-end", success: false },
		],
		[
			{ type: "entry_appended", entry: { type: "custom_message", customType: "deputize-correction" } },
			{ type: "correction" },
		],
		[{ type: "agent_settled" }, { type: "settled", aborted: false }],
		[
			{ type: "agent_settled", aborted: true },
			{ type: "settled", aborted: true },
		],
	])("translates %j", (event, expected) => {
		expect(parse(event)).toEqual({ isActivity: true, events: [expected] });
	});

	it("takes plain text for no sign of life, and an unknown event for one", () => {
		expect(parse("downloading 50 %")).toEqual({ isActivity: false, events: [] });
		expect(parse("[1,2]")).toEqual({ isActivity: false, events: [] });
		expect(parse("null")).toEqual({ isActivity: false, events: [] });
		expect(parse({ type: "something_new_in_pi_9", x: 1 })).toEqual({ isActivity: true, events: [] });
	});

	it("reads an event whose type is not its first field", () => {
		expect(parse('{"id":1,"type":"agent_settled"}').events).toEqual([{ type: "settled", aborted: false }]);
	});

	it.each([
		{ type: "message_end", message: null },
		{ type: "message_end", message: { role: "assistant", content: "text", usage: "lots", stopReason: 7 } },
		{
			type: "message_end",
			message: {
				role: "assistant",
				content: [null, 7, { type: "text" }],
				usage: { input: -5, output: "x", cost: null },
			},
		},
		{ type: "tool_execution_start" },
		{ type: "__proto__" },
		{ type: "constructor" },
		{ type: "toString" },
	])("survives the wrong shape %j", (event) => {
		const { events } = parse(event);
		for (const parsed of events) {
			if (parsed.type === "assistant-message")
				expect(Object.values(parsed.usage).every((count) => Number.isFinite(count) && count >= 0)).toBe(true);
		}
	});

	it("never throws, whatever a child prints", () => {
		fc.assert(fc.property(fc.json(), (text) => Array.isArray(parsePiEvent(Buffer.from(text)).events)));
		fc.assert(
			fc.property(
				fc.constantFrom(
					"message_end",
					"message_update",
					"tool_execution_end",
					"entry_appended",
					"compaction_end",
				),
				fc.dictionary(fc.string(), fc.jsonValue()),
				(type, rest) => Array.isArray(parse({ ...rest, type }).events),
			),
		);
	});
});
