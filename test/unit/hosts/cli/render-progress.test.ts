import { describe, expect, it } from "vitest";
import type { DelegationResult, DelegationUpdate } from "../../../../src/contract/result.ts";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import { renderFinished, renderLive, renderSteps } from "../../../../src/hosts/cli/render-progress.ts";

const update = (text: string, change: object = {}): DelegationUpdate =>
	({
		content: [{ type: "text", text }],
		details: {
			mode: "single",
			results: [],
			streaming: { displayItems: [], usage: NO_USAGE, turnCount: 2, ...change },
		},
	}) as unknown as DelegationUpdate;

describe("progress", () => {
	it("has the same height whatever there is to say, and never a line wider than the terminal", () => {
		const wide = update(`${"x".repeat(500)}\nlast ${"y".repeat(500)}`, {
			currentTool: { name: "grep", args: { pattern: "z".repeat(500) } },
		});
		for (const state of [undefined, update(""), wide]) {
			const lines = renderLive("explorer", state, 1234, 60);
			expect(lines).toHaveLength(3);
			expect(lines.every((line) => line.length < 60)).toBe(true);
		}
	});

	it("tells turn, time, tokens and cost", () => {
		const usage = { ...NO_USAGE, input: 1500, cost: 0.0123, turns: 2 };
		expect(renderLive("explorer", update("thinking", { usage }), 3400, 80)[0]).toBe(
			"● explorer · turn 3 · 3.4 s · 1.5k tokens · $0.012",
		);
	});

	it("says that it starts only until the child is heard of, and that it thinks only when it does", () => {
		const shown = (state: DelegationUpdate | undefined) => renderLive("explorer", state, 0, 80).slice(0, 2);
		expect(shown(undefined)).toEqual(["● explorer · starting · 0.0 s", "  "]);
		expect(shown(update("", { turnCount: 0, activity: "starting" }))).toEqual(shown(undefined));
		expect(shown(update("", { turnCount: 0, activity: "retrying" }))[1]).toContain("provider failed");
		expect(shown(update("", { turnCount: 0, activity: "thinking" }))).toEqual([
			"● explorer · turn 1 · 0.0 s",
			"  thinking…",
		]);
		expect(shown(update("", { turnCount: 0, waiting: true }))).toEqual([
			"● explorer · waiting for a free slot · 0.0 s",
			"  ",
		]);
	});

	it("writes one line per call, with what matters of its arguments", () => {
		const displayItems = [
			{ type: "text", text: "Looking" },
			{ type: "toolCall", name: "grep", args: { limit: 100, pattern: "a  b", path: "src", literal: true } },
		];
		expect(renderSteps("explorer", update("", { displayItems }))).toEqual(["explorer: grep a b src"]);
		expect(renderSteps("explorer", update("", { waiting: true }))).toEqual([
			"explorer: waiting for a free slot",
		]);
	});

	it("closes with the outcome and the session", () => {
		const result = {
			details: {
				sessionId: "550e",
				results: [{ usage: { ...NO_USAGE, turns: 1 }, sessionFile: "/s" }],
				error: { code: "SUBAGENT_TIMEOUT" },
			},
			isError: true,
		} as unknown as DelegationResult;
		expect(renderFinished("explorer", result)).toBe("✗ explorer: SUBAGENT_TIMEOUT · 1 turn · session 550e");
	});

	it.each([
		["tools-only", "✓ explorer · no sandbox"],
		["os-sandbox", "✓ explorer"],
	])("says at the end when there was no sandbox: %s", (confinement, line) => {
		const results = [{ usage: NO_USAGE, confinement }];
		expect(
			renderFinished("explorer", { details: { results }, isError: false } as unknown as DelegationResult),
		).toBe(line);
	});
});
