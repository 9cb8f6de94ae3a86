import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
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

	it("reads the questions of extensions in the child, and calls that were refused", () => {
		const append = (customType: string, data: object) =>
			parse({ type: "entry_appended", entry: { type: "custom", customType, data } }).events;
		const question = {
			id: "q",
			kind: "select",
			title: "Sure?",
			options: ["a", "b"],
			tool: "bash",
			args: { command: "ls" },
		};
		expect(append("deputize-question", question)).toEqual([
			{ type: "question", question: { ...question, message: "" } },
		]);
		expect(append("deputize-question", { ...question, kind: "custom" })).toEqual([]);
		expect(append("deputize-refused", { id: "c", name: "bash", reason: "No." })).toEqual([
			{ type: "tool-refused", id: "c", name: "bash", reason: "No." },
		]);
		expect(append("other", question)).toEqual([]);
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
			{
				type: "tool_execution_end",
				toolCallId: "1",
				toolName: "lsp",
				isError: true,
				result: { content: [{ type: "text", text: "LSP_SERVER_NOT_FOUND: gopls is not installed." }] },
			},
			{ type: "tool-end", id: "1", name: "lsp", isError: true, code: "LSP_SERVER_NOT_FOUND" },
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
			{ type: "auto_retry_start", attempt: 1, delayMs: 2000, errorMessage: "429 slow down" },
			{ type: "backoff-start", delayMs: 2000, reason: "429 slow down" },
		],
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

	it("takes what it can of an answer with wrong fields", () => {
		const content = [null, 7, { type: "text" }, { type: "text", text: "kept" }];
		const usage = { input: -5, output: "x", cost: null };
		const [answer, ...more] = parse({
			type: "message_end",
			message: { role: "assistant", content, usage },
		}).events;
		expect(more).toEqual([]);
		expect(answer).toMatchObject({
			type: "assistant-message",
			text: "kept",
			toolCalls: [],
			usage: { ...NO_USAGE, turns: 1 },
		});
	});

	it("tells of a tool that started, even without a name", () => {
		expect(parse({ type: "tool_execution_start" }).events).toMatchObject([{ type: "tool-start", args: {} }]);
	});

	it.each([
		{ type: "message_end", message: null },
		{ type: "message_end", message: { role: "user", content: "text" } },
		{ type: "__proto__" },
		{ type: "constructor" },
		{ type: "toString" },
	])("makes nothing of the wrong shape %j", (event) => {
		expect(parse(event).events).toEqual([]);
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
