import { describe, expect, it } from "vitest";
import type { ChildEvent } from "../../../src/contract/event.ts";
import type { DelegationResult } from "../../../src/contract/result.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { createRedact } from "../../../src/delegation/redact.ts";
import { toRunEnd, toRunEvent } from "../../../src/delegation/to-run-event.ts";

const SECRET = "correct-horse-battery-staple-4711";
const redact = createRedact({
	env: { DEPLOY_TOKEN: SECRET },
	home: "/home/me",
	agentDirectory: "/nowhere",
	depth: 0,
});
const usage = { ...NO_USAGE, turns: 1, output: 7 };
const message = { type: "assistant-message", text: `says ${SECRET}`, toolCalls: [], usage } as const;

describe("somebody who watches a run sees", () => {
	it.each<[string, ChildEvent, unknown]>([
		["no first attempt", { type: "child-start", pid: 1 }, undefined],
		["a turn", { type: "turn-start" }, { type: "turn", at: 5 }],
		[
			"a message, redacted",
			{ ...message, stopReason: "stop", model: "acme/m" },
			{ type: "message", at: 5, text: "says [REDACTED]", usage, model: "acme/m" },
		],
		[
			"why a message failed, redacted",
			{ ...message, stopReason: "error", errorMessage: `key ${SECRET} is wrong` },
			{ type: "message", at: 5, text: "says [REDACTED]", usage, error: "key [REDACTED] is wrong" },
		],
		[
			"a call with redacted arguments",
			{ type: "tool-start", id: "1", name: "read", args: { path: SECRET } },
			{ type: "call", at: 5, id: "1", name: "read", args: { path: "[REDACTED]" } },
		],
		[
			"its answer, redacted",
			{ type: "tool-end", id: "1", name: "read", isError: false, output: SECRET },
			{ type: "result", at: 5, id: "1", isError: false, text: "[REDACTED]" },
		],
		[
			"that a call failed, where its answer is elsewhere",
			{ type: "tool-end", id: "1", name: "read", isError: true },
			{ type: "result", at: 5, id: "1", isError: true },
		],
		["spending", { type: "extra-usage", usage }, { type: "spending", at: 5, usage }],
		["a wait", { type: "backoff-start", delayMs: 5 }, { type: "backoff", at: 5 }],
		["a correction", { type: "correction" }, { type: "correction", at: 5 }],
		["no fragment of a text", { type: "text-delta", text: "a" }, undefined],
		["no end of the process", { type: "settled", aborted: false }, undefined],
	])("%s", (_name, event, expected) => {
		expect(toRunEvent(event, { at: 5, attempts: 1, redact })).toEqual(expected);
	});

	it("which attempt it is from the second on", () => {
		const event = { type: "child-start", pid: 1 } as const;
		expect(toRunEvent(event, { at: 5, attempts: 2, redact })).toEqual({ type: "attempt", at: 5, number: 2 });
	});

	it("the beginning of what is long", () => {
		const long = "word ".repeat(10_000);
		const shown = (event: ChildEvent) =>
			JSON.stringify(toRunEvent(event, { at: 5, attempts: 1, redact })).length;
		expect(shown({ ...message, text: long, stopReason: "stop" })).toBeLessThan(17_000);
		expect(shown({ type: "tool-end", id: "1", name: "read", isError: false, output: long })).toBeLessThan(
			4200,
		);
	});
});

describe("the end of a run", () => {
	const single = { usage, durationMs: 12, output: "x".repeat(20_000) };
	const result = (change: object): DelegationResult =>
		({ isError: false, details: { results: [single] }, ...change }) as unknown as DelegationResult;

	it("has the answer, what it cost and how long it took", () => {
		expect(toRunEnd(result({}), 9)).toEqual({
			type: "end",
			at: 9,
			ok: true,
			usage,
			durationMs: 12,
			output: "x".repeat(16_384),
		});
	});

	it("says why it failed, and calls no cut answer a failure", () => {
		const error = { code: "SUBAGENT_TIMEOUT", message: "It took too long.", cause: { kind: "runtime" } };
		expect(toRunEnd(result({ isError: true, details: { results: [], error } }), 9)).toEqual({
			type: "end",
			at: 9,
			ok: false,
			usage: NO_USAGE,
			durationMs: 0,
			code: "SUBAGENT_TIMEOUT",
			cause: "runtime",
			error: "It took too long.",
		});
		const cut = toRunEnd(result({ details: { results: [single], error } }), 9);
		expect(cut).toMatchObject({ ok: true });
		expect(cut).not.toHaveProperty("error");
	});

	it("is a failure without a result", () => {
		expect(toRunEnd(undefined, 9)).toEqual({
			type: "end",
			at: 9,
			ok: false,
			usage: NO_USAGE,
			durationMs: 0,
		});
	});
});
