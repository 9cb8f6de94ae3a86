import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import { createClaudeReader } from "../../../../src/runtimes/claude/read-claude-events.ts";

const stream = (event: object) => ({ type: "stream_event", event, parent_tool_use_id: null });
const start = stream({
	type: "message_start",
	message: { model: "claude-x", usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 7 } },
});
const stop = (reason: string) => [
	stream({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 20 } }),
	stream({ type: "message_stop" }),
];
const say = (...content: object[]) => ({
	type: "assistant",
	message: { model: "claude-x", content, usage: { output_tokens: 1 } },
	parent_tool_use_id: null,
});
const result = (id: string, isError = false) => ({
	type: "user",
	message: { content: [{ type: "tool_result", tool_use_id: id, is_error: isError, content: "…" }] },
	parent_tool_use_id: null,
});
const init = (tools: readonly string[], servers: readonly string[] = []) => ({
	type: "system",
	subtype: "init",
	tools,
	mcp_servers: servers.map((name) => ({ name })),
});

function readAll(events: readonly object[], spent = NO_USAGE) {
	const reader = createClaudeReader({ granted: ["Read"], spent });
	const read = events.flatMap((event) => reader.read(event as Record<string, unknown>));
	return { reader, read, types: read.map((event) => event.type) };
}

describe("the events of Claude Code", () => {
	it("are one message for all its blocks, with the counts of its end, and ends of calls behind it", () => {
		const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "a" } };
		const { read, types } = readAll([
			init(["Read", "StructuredOutput"]),
			start,
			stream({ type: "content_block_delta", delta: { type: "text_delta", text: "Look" } }),
			say({ type: "text", text: "Look" }),
			say(call),
			result("t1", true),
			...stop("tool_use"),
		]);
		expect(types).toEqual(["turn-start", "text-delta", "tool-start", "assistant-message", "tool-end"]);
		expect(read[3]).toEqual({
			type: "assistant-message",
			text: "Look",
			toolCalls: [{ id: "t1", name: "Read", args: { file_path: "a" } }],
			stopReason: "tool-use",
			model: "anthropic/claude-x",
			usage: { ...NO_USAGE, input: 100, output: 20, cacheRead: 7, turns: 1 },
		});
		expect(read[4]).toEqual({ type: "tool-end", id: "t1", name: "Read", isError: true, output: "…" });
	});

	it("call the tool of the answer what it is called here", () => {
		const args = { status: "SUCCESS", result: "R", error: "" };
		const { read } = readAll([
			start,
			say({ type: "tool_use", id: "t2", name: "StructuredOutput", input: args }),
			...stop("tool_use"),
			result("t2"),
			{ type: "result", subtype: "success", is_error: false, total_cost_usd: 0.5 },
		]);
		expect(read).toContainEqual({ type: "tool-start", id: "t2", name: "subagent_finalize", args });
		expect(read).toContainEqual(
			expect.objectContaining({ type: "tool-end", id: "t2", name: "subagent_finalize", isError: false }),
		);
		expect(read.at(-1)).toEqual({ type: "settled", aborted: false });
	});

	it("charge a run with its own part of what the session cost", () => {
		const { read, reader } = readAll([{ type: "result", subtype: "success", total_cost_usd: 0.5 }], {
			...NO_USAGE,
			cost: 0.2,
		});
		expect(read[0]).toMatchObject({ type: "extra-usage", usage: { cost: 0.3 } });
		expect(reader.total().cost).toBe(0.5);
	});

	const overBudget = {
		type: "result",
		subtype: "error_max_budget_usd",
		is_error: true,
		total_cost_usd: 0.5,
	};

	it("tell of the turn that no money is left for, behind what was spent, and of no failure", () => {
		const { read } = readAll([overBudget]);
		expect(read).toEqual([
			{ type: "extra-usage", usage: { ...NO_USAGE, cost: 0.5 } },
			{ type: "turn-start" },
			{ type: "settled", aborted: false },
		]);
	});

	it.each([
		["is taken", [], 1],
		["was refused before", [result("t2", true)], 0],
	] as const)("take the answer that was handed over with the last money: it %s", (_, results, taken) => {
		const { read } = readAll([
			start,
			say({ type: "tool_use", id: "t2", name: "StructuredOutput", input: {} }),
			...stop("tool_use"),
			...results,
			overBudget,
		]);
		expect(read.filter((event) => event.type === "tool-end" && !event.isError)).toHaveLength(taken);
	});

	it("say why it asks again", () => {
		const retry = {
			type: "system",
			subtype: "api_retry",
			error_status: 429,
			error: "rate_limit",
			retry_delay_ms: 500,
		};
		expect(readAll([retry]).read).toEqual([
			{ type: "backoff-start", delayMs: 500, reason: "429 rate_limit" },
		]);
	});

	it.each([401, 403])("end at the first retry after %i", (status) => {
		const { read, types, reader } = readAll([
			{ type: "system", subtype: "api_retry", error_status: status, error: "authentication_failed" },
			start,
		]);
		expect(types).toEqual(["assistant-message", "settled"]);
		expect(read[0]).toMatchObject({ stopReason: "error", errorFacts: { status } });
		expect(reader.isHopeless()).toBe(true);
	});

	it("take other retries for waiting", () => {
		const retry = { type: "system", subtype: "api_retry", error_status: 429 };
		const { types, reader } = readAll([retry, { type: "system", subtype: "status" }, start]);
		expect(types).toEqual(["backoff-start", "backoff-end", "turn-start"]);
		expect(reader.isHopeless()).toBe(false);
	});

	it.each([
		["a tool", init(["Read", "Bash"]), "Bash"],
		["a server", init(["Read"], ["users-own"]), "users-own"],
	])("stop a child that has %s that was not granted", (_, event, named) => {
		const { read, reader } = readAll([event]);
		expect(JSON.stringify(read)).toContain(named);
		expect(reader.isHopeless()).toBe(true);
	});

	it("tell the provider's error, not the message in the model's place", () => {
		const { read } = readAll([
			{
				type: "assistant",
				message: { model: "<synthetic>", content: [{ type: "text", text: "API Error: 400 too long" }] },
				api_error_status: 400,
			},
			{ type: "result", subtype: "success", is_error: true, result: "API Error: 400 too long" },
		]);
		expect(read.filter((event) => event.type === "assistant-message")).toMatchObject([
			{ text: "", stopReason: "error", errorMessage: "API Error: 400 too long", errorFacts: { status: 400 } },
		]);
	});

	it("count the corrections of Claude Code itself, and leave a missing answer to ours", () => {
		const { types } = readAll([
			start,
			say({ type: "text", text: "one" }),
			...stop("end_turn"),
			{
				type: "user",
				isSynthetic: true,
				message: { content: [{ type: "text", text: "[structured-output-enforce] You MUST call" }] },
			},
			{ type: "result", subtype: "error_max_structured_output_retries", is_error: true },
		]);
		expect(types).toEqual(["turn-start", "assistant-message", "correction", "extra-usage", "settled"]);
	});

	it("of agents inside of it, and of unknown kinds, say nothing", () => {
		expect(readAll([{ ...start, parent_tool_use_id: "t9" }, { type: "news" }, {}]).read).toEqual([]);
	});
});
