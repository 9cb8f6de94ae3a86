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

	it("says what the model is doing, until something else begins", () => {
		const waits: ChildEvent = { type: "backoff-start", delayMs: 500 };
		expect(collect({ type: "generating", what: "thinking" }).generating).toBe("thinking");
		expect(collect({ type: "generating", what: "tool-call" }).generating).toBe("writing");
		expect(collect({ type: "text-delta", text: "a" }).generating).toBe("writing");
		expect(collect(message("", { toolCalls: [{ id: "1", name: "read", args: {} }] })).generating).toBe(
			"writing",
		);
		expect(collect({ type: "text-delta", text: "a" }, message("a"))).not.toHaveProperty("generating");
		const waiting = collectOutput(NOTHING_COLLECTED, waits, undefined, 1000);
		expect(waiting).toMatchObject({ backingOff: true, childRetried: true, retryAt: 1500 });
		expect(collect({ type: "backoff-start" })).not.toHaveProperty("retryAt");
		for (const next of [
			{ type: "backoff-end", success: true },
			{ type: "turn-start" },
			{ type: "tool-start", id: "1", name: "read", args: {} },
		] as const) {
			const after = collectOutput(waiting, next);
			expect(after).toMatchObject({ backingOff: false, childRetried: true });
			expect(after).not.toHaveProperty("retryAt");
		}
		expect(collect({ type: "turn-start" }).begun).toBe(true);
	});

	it("says how a child ended itself", () => {
		expect(collect({ type: "crashed", message: "no memory" }).crash).toBe("no memory");
		expect(collect({ type: "settled", aborted: true })).toMatchObject({ settled: true, aborted: true });
		expect(collect({ type: "settled", aborted: false })).toMatchObject({ settled: true, aborted: false });
		const end: ChildEvent = {
			...{ type: "child-end", reason: "exit", exitCode: 0, signal: null, stderrTail: "", durationMs: 1 },
		};
		expect(collect({ type: "turn-start" }, end).lastEvent).toBe("turn-start");
	});

	it("says how a message ended, with what is known of the failure", () => {
		const errorFacts = { status: 429, retryAfterMs: 5 };
		expect(
			collect(message("", { stopReason: "error", errorMessage: "slow down", errorFacts })).lastStop,
		).toEqual({
			reason: "error",
			failure: { message: "slow down", status: 429, retryAfterMs: 5 },
		});
		expect(collect(message("a")).lastStop).toEqual({ reason: "stop" });
		expect(collect(message("a", { model: "p/m" }), message("b")).model).toBe("p/m");
	});

	it("counts calls but not the handover, and how long each took", () => {
		const call = { id: "1", name: "read", args: {} };
		const events: ChildEvent[] = [
			message("", { toolCalls: [call] }),
			{ type: "tool-start", ...call },
			{ type: "tool-end", id: "1", name: "read", isError: false },
			...finalizing({ status: "SUCCESS", result: "r" }),
		];
		const collected = events.reduce(
			(before, event, index) => collectOutput(before, event, undefined, index * 1000),
			NOTHING_COLLECTED,
		);
		expect(collected.toolCalls).toBe(1);
		expect([...collected.toolsStarted]).toEqual(["read", "subagent_finalize"]);
		expect(collected.items).toEqual([{ type: "toolCall", ...call, durationMs: 1000 }]);
	});

	it("counts how often exactly the same call failed in a row", () => {
		const fail = (path: string, isError = true): ChildEvent[] => [
			{ type: "tool-start", id: path, name: "read", args: { path } },
			{ type: "tool-end", id: path, name: "read", isError },
		];
		const countOf = (...events: ChildEvent[][]) => collect(...events.flat()).repeatedFailure?.count;
		expect(countOf(fail("a"), fail("a"), fail("a"))).toBe(3);
		expect(countOf(fail("a"), fail("b"))).toBe(1);
		expect(countOf(fail("a"), fail("a", false))).toBeUndefined();
	});

	it("counts a refused handover as a correction, and keeps what it wanted to say", () => {
		const refused = collect(...finalizing({ status: "SUCCESS", result: "words" }, true));
		expect(refused).toMatchObject({
			corrections: 1,
			refusedWords: "words",
			finalizationProblem: "the call was refused",
		});
		const again = [
			...finalizing({ status: "SUCCESS", result: "words" }, true),
			...finalizing({ status: "SUCCESS" }),
		];
		expect(collect(...again)).toMatchObject({ corrections: 2, refusedWords: "words" });
		expect(collect({ type: "correction" }).corrections).toBe(1);
		expect(startNextAttempt(refused)).toMatchObject({ corrections: 1, refusedWords: "words" });
	});

	it("keeps every text once, and of too many the newest and the longest", () => {
		expect(collect(message(" one "), message("two"), message("one"), message("  ")).texts).toEqual([
			"one",
			"two",
		]);
		const many = Array.from({ length: LIMITS.maxKeptTexts }, (_, index) => message(`a text ${1000 + index}`));
		const { texts } = collect(...many, message("short"), message("the longest text"), message("x"));
		expect(texts).toHaveLength(LIMITS.maxKeptTexts);
		expect(texts).toContain("the longest text");
		expect(texts).not.toContain("short");
		expect(texts.at(-1)).toBe("x");
		const half = "y".repeat(LIMITS.maxKeptTextChars / 2 + 1);
		expect(collect(message(half), message(`z${half}`)).texts).toEqual([`z${half}`]);
	});

	it("marks what an attempt left unfinished, and goes on from it", () => {
		const next = startNextAttempt(collect({ type: "text-delta", text: "half " }));
		expect(next).toMatchObject({ text: "half ", texts: ["half"], cutTexts: ["half"], unfinishedText: "" });
		const whole = startNextAttempt(collect(message("whole"), { type: "text-delta", text: "half" }));
		expect(whole).toMatchObject({ text: "whole", texts: ["whole", "half"], cutTexts: ["half"] });
	});
});
