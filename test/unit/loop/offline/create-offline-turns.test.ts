import { describe, expect, it } from "vitest";
import { createOfflineTurns } from "../../../../src/loop/offline/create-offline-turns.ts";
import { createToolCaller } from "../../../../src/loop/tools/create-tool-caller.ts";

const callerOf = (...names: string[]) =>
	createToolCaller(
		names.map((name) => ({
			name,
			label: name,
			description: name,
			parameters: {},
			execute: async () => ({ text: "", details: {}, isError: false }),
		})),
		{ cwd: "/", signal: new AbortController().signal },
	);

const PLACE = { cwd: "/", signal: new AbortController().signal };

describe("createOfflineTurns", () => {
	it.each([
		[[], '"tool_subset" contains nothing. Add bash_ripgrep'],
		[["bash_read", "search_web"], '"tool_subset" contains bash_read, search_web. Add bash_ripgrep'],
	])("names the field of the payload when it has nothing to search with: %j", (names, message) => {
		expect(() =>
			createOfflineTurns({ ...PLACE, payload: { prompt: "x" }, tools: callerOf(...names) }),
		).toThrow(message);
	});

	it("leaves that to the agent's file when it runs as an agent", () => {
		const child = { agent: "mute", finalize: { mode: "text", max_corrections: 0 } } as const;
		expect(() =>
			createOfflineTurns({ ...PLACE, payload: { prompt: "x", child }, tools: callerOf() }),
		).not.toThrow();
	});
});
