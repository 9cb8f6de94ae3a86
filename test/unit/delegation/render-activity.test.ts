import { describe, expect, it } from "vitest";
import type { StreamingDisplay } from "../../../src/contract/result.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import {
	describeActivity,
	renderActivity,
	renderCall,
	renderState,
} from "../../../src/delegation/render-activity.ts";

const state = (change: Partial<StreamingDisplay>): StreamingDisplay => ({
	displayItems: [],
	usage: NO_USAGE,
	turnCount: 2,
	...change,
});
const tool = { name: "read", args: { path: "a.ts", limit: "5" } };

describe("what a running child does, in a few words", () => {
	it.each<[StreamingDisplay | undefined, string, string, string]>([
		[undefined, "starting", "", "starting"],
		[state({ waiting: true, activity: "writing" }), "waiting for a free slot", "", "waiting for a free slot"],
		[state({ activity: "starting" }), "starting", "", "starting"],
		[state({ activity: "awaiting-model" }), "turn 3", "waiting for the model…", "waiting for the model"],
		[state({ activity: "thinking" }), "turn 3", "thinking…", "thinking"],
		[state({ activity: "writing" }), "turn 3", "writing…", "writing"],
		[state({ activity: "tool", currentTool: tool }), "turn 3", "read a.ts", "running read"],
		[state({ activity: "tool" }), "turn 3", "running a tool…", "running a tool"],
		[
			state({ activity: "retrying" }),
			"turn 3",
			"the provider failed, waiting to retry…",
			"the provider failed, waiting to retry",
		],
	])("%#", (streaming, stage, activity, description) => {
		expect(renderState(streaming)).toBe(stage);
		expect(renderActivity(streaming)).toBe(activity);
		expect(describeActivity(streaming)).toBe(description);
	});

	it.each([
		[10_001, "retrying", "the provider failed, retry in 1 s"],
		[12_000, "retrying", "the provider failed, retry in 2 s"],
		[9000, "retrying", "the provider failed, retry in 0 s"],
		[12_000, "thinking", "thinking"],
	] as const)("a retry at %i while it is %s", (retryAt, activity, description) => {
		expect(describeActivity(state({ retryAt, activity }), 10_000)).toBe(description);
	});
});

describe("a call in one line", () => {
	it.each<[string, Record<string, unknown>, string]>([
		["what tells most, in one order", { path: "src", limit: "5", pattern: "a b" }, "grep a b src"],
		["the rest where nothing does", { first: "one", second: "two", count: 3 }, "grep one two"],
		["nothing but texts", { path: 7, first: "one" }, "grep one"],
		["nothing where there is nothing", {}, "grep"],
		["no line breaks", { query: "a\n\tb" }, "grep a b"],
		["no more than sixty characters of each", { query: "x".repeat(80) }, `grep ${"x".repeat(59)}…`],
	])("%s", (_name, args, line) => {
		expect(renderCall("grep", args)).toBe(line);
	});
});
