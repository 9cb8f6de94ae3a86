import { describe, expect, it } from "vitest";
import { createOfflineTurns } from "../../../../src/loop/offline/create-offline-turns.ts";
import { createToolbox } from "../../../../src/loop/tools/toolbox.ts";

const toolbox = (...names: string[]) =>
	createToolbox(
		names.map((name) => ({
			name,
			label: name,
			description: name,
			parameters: {},
			execute: async () => ({ text: "", details: {}, isError: false }),
		})),
		{ cwd: "/", signal: new AbortController().signal },
	);

describe("createOfflineTurns", () => {
	it.each([
		[[], '"tool_subset" holds nothing. Add bash_ripgrep'],
		[["bash_read", "search_web"], '"tool_subset" holds bash_read, search_web. Add bash_ripgrep'],
	])("names the field of the payload when it has nothing to search with: %j", (names, message) => {
		expect(() => createOfflineTurns({ payload: { prompt: "x" }, toolbox: toolbox(...names) })).toThrow(
			message,
		);
	});

	it("leaves that to the agent's file when it runs as an agent", () => {
		const child = { agent: "mute", finalize: { mode: "text", max_corrections: 0 } } as const;
		expect(() => createOfflineTurns({ payload: { prompt: "x", child }, toolbox: toolbox() })).not.toThrow();
	});
});
