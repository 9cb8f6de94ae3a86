import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import type { RunSummary } from "../../../src/runs/run-summary.ts";
import { selectRunPage } from "../../../src/viewer/select-run-page.ts";

const run = (runId: string, more: Partial<RunSummary>): RunSummary => ({
	runId,
	agent: "explorer",
	state: "done",
	startedAt: "2026-01-01T00:00:00.000Z",
	...more,
});
const RUNS = [
	run("a", { usage: { ...NO_USAGE, cost: 2, input: 5 }, durationMs: 30, cwd: "/b", model: "z" }),
	run("b", { state: "running", cwd: "/c", model: "Y", agent: "tester" }),
	run("c", { usage: { ...NO_USAGE, cost: 9, input: 1 }, durationMs: 10, cwd: "/a" }),
];
const order = (sort?: string) =>
	selectRunPage(RUNS, { sort })
		.runs.map(({ runId }) => runId)
		.join("");

describe("a page of runs", () => {
	it("has those that go on first", () => {
		expect(order()).toBe("bac");
	});

	it.each([
		["-Cost", "cab"],
		["Cost", "bac"],
		["-Time", "acb"],
		["-Tokens", "acb"],
		["Project", "cab"],
		["Model", "cba"],
		["-Run", "bac"],
		["nonsense", "abc"],
	])("is sorted by a column: %s", (sort, expected) => {
		expect(order(sort)).toBe(expected);
	});
});
