import { describe, expect, it } from "vitest";
import { readSurroundings } from "../../../src/config/read-surroundings.ts";
import type { ChildEvent } from "../../../src/contract/event.ts";
import type { StreamingDisplay } from "../../../src/contract/result.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { collectOutput, NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";
import { presentUpdate } from "../../../src/delegation/present-update.ts";
import { createRedact } from "../../../src/delegation/redact.ts";

const redact = createRedact(readSurroundings({ HOME: "/nowhere" }));
const run = {
	runId: "abcd1234",
	session: { id: "s", file: "/s.jsonl", resumed: false },
	model: "acme/m",
	thinkingLevel: "high",
};

/** Plays events that come a second apart, and tells what is shown after each of them. */
function play(...events: readonly ChildEvent[]): readonly StreamingDisplay[] {
	let collected = NOTHING_COLLECTED;
	return events.map((event, index) => {
		collected = collectOutput(collected, event, undefined, index * 1000);
		const { streaming } = presentUpdate(run, collected, redact).details;
		if (!streaming) throw new Error("an update without a state");
		return streaming;
	});
}

const read = { id: "1", name: "read", args: { path: "a" } };
const answer: ChildEvent = {
	type: "assistant-message",
	text: "",
	toolCalls: [read],
	stopReason: "tool-use",
	usage: { ...NO_USAGE, turns: 1 },
};

describe("what a running child is said to do", () => {
	it("is what it does, from its start to the next turn", () => {
		const shown = play(
			{ type: "child-start", pid: 1 },
			{ type: "turn-start" },
			{ type: "generating", what: "thinking" },
			{ type: "text-delta", text: "I look. " },
			{ type: "generating", what: "tool-call" },
			answer,
			{ type: "tool-start", ...read },
			{ type: "tool-end", id: "1", name: "read", isError: false },
			{ type: "turn-start" },
		);
		expect(shown.map(({ activity }) => activity)).toEqual([
			"starting",
			"awaiting-model",
			"thinking",
			"writing",
			"writing",
			"writing",
			"tool",
			"awaiting-model",
			"awaiting-model",
		]);
		expect(shown[6]).toMatchObject({ currentTool: { name: "read", startedAt: 6000 }, toolCalls: 1 });
		expect(shown[8]?.currentTool).toBeUndefined();
		expect(shown[8]?.displayItems).toMatchObject([{ name: "read", durationMs: 1000 }]);
		expect(shown[8]).toMatchObject({ model: "acme/m", thinking: "high" });
	});

	it("is waiting for a provider that failed, and until when", () => {
		const shown = play(
			{ type: "turn-start" },
			{ type: "backoff-start", delayMs: 4000 },
			{ type: "turn-start" },
		);
		expect(shown[1]).toMatchObject({ activity: "retrying", retryAt: 5000 });
		expect(shown[2]?.activity).toBe("awaiting-model");
		expect(shown[2]?.retryAt).toBeUndefined();
	});

	it("does not show the handover as a tool, and does not count it", () => {
		const finalize = { id: "2", name: "subagent_finalize", args: { status: "SUCCESS", result: "x" } };
		const [shown] = play({ type: "tool-start", ...finalize });
		expect(shown).toMatchObject({ activity: "writing", toolCalls: 0 });
		expect(shown?.currentTool).toBeUndefined();
	});
});
