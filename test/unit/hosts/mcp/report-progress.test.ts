import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DelegationUpdate, StreamingDisplay } from "../../../../src/contract/result.ts";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import { reportProgress } from "../../../../src/hosts/mcp/report-progress.ts";

const update = (streaming: Partial<StreamingDisplay>): DelegationUpdate =>
	({
		content: [{ type: "text", text: "" }],
		details: {
			mode: "single",
			results: [],
			streaming: { displayItems: [], usage: NO_USAGE, turnCount: 1, ...streaming },
		},
	}) as unknown as DelegationUpdate;

describe("progress", () => {
	beforeEach(() => vi.useFakeTimers());
	afterEach(() => vi.useRealTimers());

	it("says what the child does when that changes, again every ten seconds, and always with a larger number", () => {
		const sent: { progress: number; message: string }[] = [];
		const report = reportProgress((progress) => sent.push(progress), { agent: "explorer" });
		report.note(update({ activity: "starting" }));
		vi.advanceTimersByTime(400);
		// Too soon after the first: it would only flicker.
		report.note(update({ activity: "thinking" }));
		vi.advanceTimersByTime(1000);
		report.note(update({ activity: "tool", currentTool: { name: "grep", args: { pattern: "a\nb" } } }));
		vi.advanceTimersByTime(30_000);
		report.stop();
		vi.advanceTimersByTime(60_000);
		expect(sent.map(({ message }) => message)).toEqual([
			"explorer · starting",
			"explorer · turn 2 · grep a b",
			"explorer · turn 2 · grep a b",
			"explorer · turn 2 · grep a b",
			"explorer · turn 2 · grep a b",
		]);
		const numbers = sent.map(({ progress }) => progress);
		expect(numbers).toEqual([0, 1, 10, 20, 30]);
	});

	it("comes before anything is known of the child", () => {
		const sent: string[] = [];
		const report = reportProgress(({ message }) => sent.push(message), { agent: "tester", heartbeatMs: 50 });
		vi.advanceTimersByTime(120);
		report.stop();
		expect(sent).toEqual(["tester · starting", "tester · starting"]);
	});

	it("names a wait for a slot", () => {
		const sent: string[] = [];
		const report = reportProgress(({ message }) => sent.push(message), { agent: "tester" });
		report.note(update({ waiting: true }));
		report.stop();
		expect(sent).toEqual(["tester · waiting for a free slot"]);
	});
});
