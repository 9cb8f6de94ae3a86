import { describe, expect, it } from "vitest";
import type { ChildEvent } from "../../../src/contract/event.ts";
import { LIMITS } from "../../../src/contract/limits.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import {
	collectOutput,
	NOTHING_COLLECTED,
	startNextAttempt,
} from "../../../src/delegation/collect-output.ts";

const collect = (...events: ChildEvent[]) =>
	events.reduce((before, event) => collectOutput(before, event), NOTHING_COLLECTED);
const message = (
	text: string,
	change: Partial<Extract<ChildEvent, { type: "assistant-message" }>> = {},
): ChildEvent => ({
	type: "assistant-message",
	text,
	toolCalls: [],
	stopReason: "stop",
	usage: { ...NO_USAGE, input: 1, cost: 0.5, turns: 1 },
	...change,
});
const finalizing = (args: Record<string, unknown>, isError = false): ChildEvent[] => [
	{ type: "tool-start", id: "1", name: "subagent_finalize", args },
	{ type: "tool-end", id: "1", name: "subagent_finalize", isError },
];

describe("collectOutput", () => {
	it("sums usage over messages and extra spending", () => {
		const collected = collect(
			message("a"),
			{ type: "extra-usage", usage: { ...NO_USAGE, input: 5 } },
			message("b"),
		);
		expect(collected.usage).toMatchObject({ input: 7, cost: 1, turns: 2 });
	});

	it("keeps the last text when a later message has none", () => {
		expect(collect(message("found"), message("", { stopReason: "tool-use" })).text).toBe("found");
	});

	it("keeps the text of a message that was never finished", () => {
		const collected = collect(
			message("first"),
			{ type: "text-delta", text: "half a " },
			{ type: "text-delta", text: "sentence" },
		);
		expect(collected).toMatchObject({ text: "first", unfinishedText: "half a sentence" });
	});

	it("takes a finalization from a call that ended without error, with the arguments of its start", () => {
		expect(collect(...finalizing({ status: "SUCCESS", result: "r" })).finalization).toEqual({
			status: "SUCCESS",
			result: "r",
		});
		expect(collect(...finalizing({ status: "SUCCESS", result: "r" }, true)).finalization).toBeUndefined();
		expect(collect(...finalizing({ status: "SUCCESS" })).finalizationProblem).toContain("non-empty result");
	});

	it("marks a tool call that failed, and no other", () => {
		const call = (id: string) => ({ id, name: "write", args: { path: id } });
		const { items } = collect(
			message("", { toolCalls: [call("a"), call("b")] }),
			{ type: "tool-start", ...call("a") },
			{ type: "tool-start", ...call("b") },
			{ type: "tool-end", id: "b", name: "write", isError: true },
			{ type: "tool-end", id: "a", name: "write", isError: false },
		);
		expect(items.map((item) => item.type === "toolCall" && item.isError)).toEqual([undefined, true]);
	});

	it("remembers who answered and what was heard last", () => {
		const collected = collect(message("a", { model: "p/m" }), {
			type: "tool-start",
			id: "1",
			name: "read",
			args: {},
		});
		expect(collected).toMatchObject({ model: "p/m", lastEvent: "tool-start read" });
		expect(startNextAttempt(collected).model).toBe("p/m");
	});

	it("does not believe a finalization that never ended", () => {
		const [start] = finalizing({ status: "SUCCESS", result: "r" });
		expect(collect(start as ChildEvent).finalization).toBeUndefined();
	});

	it("lists text and calls for display, without the handover", () => {
		const toolCalls = [
			{ id: "1", name: "grep", args: { pattern: "x" } },
			{ id: "2", name: "subagent_finalize", args: {} },
		];
		expect(collect(message("look", { toolCalls })).items).toEqual([
			{ type: "text", text: "look" },
			{ type: "toolCall", id: "1", name: "grep", args: { pattern: "x" } },
		]);
	});

	it("knows which tools are running", () => {
		const start: ChildEvent = { type: "tool-start", id: "1", name: "read", args: { path: "a" } };
		expect(collect(start).runningTools).toMatchObject([{ id: "1", name: "read", args: { path: "a" } }]);
		expect(collect(start, { type: "tool-end", id: "1", name: "read", isError: false }).runningTools).toEqual(
			[],
		);
	});

	it("bounds what it keeps", () => {
		const collected = collect(
			...Array.from({ length: 500 }, (_, index) => message(`m${index}`)),
			message("x".repeat(5_000_000)),
		);
		expect(collected.items.length).toBeLessThanOrEqual(200);
		expect(collected.text.length).toBe(LIMITS.maxKeptTextChars);
	});

	it("carries spending and text into the next attempt, but no verdict", () => {
		const before = collect(
			message("partial", { stopReason: "error" }),
			{ type: "settled", aborted: false },
			...finalizing({ status: "ERROR", error: "e" }),
		);
		const after = startNextAttempt(before);
		expect(after).toMatchObject({ text: "partial", usage: before.usage, settled: false });
		expect(after.finalization).toBeUndefined();
		expect(after.lastStop).toBeUndefined();
	});
});
