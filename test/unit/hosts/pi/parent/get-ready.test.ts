import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../../src/contract/config.ts";
import { getReady, selectNamed } from "../../../../../src/hosts/pi/parent/get-ready.ts";

const NAMES = ["explorer", "test-writer", "worker"];

describe("which agent a message names", () => {
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
		expect(selectNamed(message, NAMES)).toBe(expected);
	});
});

describe("while the model thinks about its first answer", () => {
	it.each([
		["a child is expected where one was delegated to a moment ago", "go on", "worker", 1, "expect worker"],
		["the agent that is named comes first", "ask explorer", "worker", 1, "expect explorer"],
		[
			"everything up to the start is practised where none is likely",
			"go on",
			undefined,
			1,
			"practise explorer",
		],
		["and where none may wait", "ask explorer", "worker", 0, "practise explorer"],
	])("%s", async (_case, message, recent, keepWarm, expected) => {
		const done: string[] = [];
		await getReady(message, {
			starter: {
				listAdvertised: () => NAMES.map((name) => ({ name, description: "" })),
				findRecentAgent: () => recent,
			},
			context: { cwd: "/project", hasUI: true },
			config: { ...DEFAULT_CONFIG.subagents, keepWarm },
			surroundings: { home: "/home/user", agentDirectory: "/home/user/.pi/agent" },
			pool: { expect: (agent) => void done.push(`expect ${agent}`) },
			practise: async (agent) => void done.push(`practise ${agent}`),
		});
		expect(done).toEqual([expected]);
	});
});
