import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeCorrection, NEVER_CALLED } from "../../../../src/contract/finalization.ts";
import { createOfflineTurns } from "../../../../src/loop/offline/create-offline-turns.ts";
import type { OpenTurn } from "../../../../src/loop/program-outlet.ts";
import type { HistoryEntry } from "../../../../src/loop/providers/provider.ts";
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

	describe("told to hand over", () => {
		const prompt = describeCorrection(NEVER_CALLED);
		const task = "Which function implements heatOven?";
		const child = { agent: "explorer", finalize: { mode: "required", max_corrections: 2 } } as const;
		const cwd = mkdtempSync(join(tmpdir(), "told-"));
		writeFileSync(join(cwd, "oven.js"), "export function heatOven() {}\n");
		writeFileSync(join(cwd, "status.h"), "#define ERROR 1\n#define SUCCESS 0\n");
		afterAll(() => rmSync(cwd, { recursive: true }));
		const turn = { start: () => undefined, reasoning: () => undefined, toolCall: () => undefined };
		const take = (history: readonly HistoryEntry[]) =>
			createOfflineTurns({
				...PLACE,
				cwd,
				payload: { prompt, child },
				tools: callerOf("grep", "find", "read", "subagent_finalize"),
			})(history, { ...turn, text: () => undefined } as unknown as OpenTurn);

		it("answers the task that this is about", async () => {
			const { toolCalls } = await take([
				{ kind: "user", text: task },
				{ kind: "user", text: prompt },
			]);
			const asked = toolCalls.map(({ argumentsText }) => argumentsText).join();
			expect(asked).toContain("oven.js");
			expect(asked).not.toContain("status.h");
		});

		it("fails when the session does not contain it", async () => {
			await expect(take([{ kind: "user", text: prompt }])).rejects.toThrow("does not contain the task");
		});
	});
});
