import { describe, expect, it } from "vitest";
import { selectLikelyAgent } from "../../../../../src/hosts/pi/parent/select-likely-agent.ts";

const NAMES = ["explorer", "test-writer", "worker"];

describe("which agent is likely to be asked", () => {
	it.each([
		["Ask the explorer where sessions are opened", "explorer"],
		["use Test-Writer for the parser", "test-writer"],
		["let worker do it.", "worker"],
		["delegate this to `explorer`", "explorer"],
		// Words of the task, not of a delegation.
		["Fix the web worker", undefined],
		["Use the file explorers of both systems", undefined],
		["ask my co-worker", undefined],
		// Two, and none.
		["Ask explorer, then let worker change it", undefined],
		["use a subagent", undefined],
		["", undefined],
	])("%s → %s", (message, expected) => {
		expect(selectLikelyAgent(message, { names: NAMES, recent: undefined })).toBe(expected);
	});

	it("is the one of a short while ago when the message names none", () => {
		expect(selectLikelyAgent("go on", { names: NAMES, recent: "worker" })).toBe("worker");
		expect(selectLikelyAgent("ask explorer", { names: NAMES, recent: "worker" })).toBe("explorer");
	});
});
