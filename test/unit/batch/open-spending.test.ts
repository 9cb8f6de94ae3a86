import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BatchFiles, nameBatchFiles } from "../../../src/batch/batch-files.ts";
import { readBatchState, writeBatchState } from "../../../src/batch/batch-state.ts";
import type { LedgerEntry } from "../../../src/batch/ledger/ledger-entry.ts";
import { openSpending, sumSpent } from "../../../src/batch/ledger/open-spending.ts";
import { createBatchDirectory } from "../../helpers/batch-lanes.ts";

let directory: ReturnType<typeof createBatchDirectory>;
let files: BatchFiles;
beforeEach(() => {
	directory = createBatchDirectory();
	files = nameBatchFiles(join(directory.path, "out.jsonl"));
	writeBatchState(files, { version: 1, id: "b", lane: "embedded", total: 3 });
});
afterEach(() => directory.remove());

const task = (key: string, attempt?: number) => ({
	...{ id: key, key, agent: "a", task: "t" },
	...(attempt === undefined ? {} : { attempt }),
});
const line = (key: string, costUsd: number, attempt = 1): [string, LedgerEntry] => [
	key,
	{ id: key, status: "done", attempt, costUsd, durationMs: 1, finishedAt: 0 },
];
const spent = (...lines: [string, LedgerEntry][]): number => sumSpent(new Map(lines), readBatchState(files));

test("what a killed process spent is known, and counted once when the line came just before", () => {
	const spending = openSpending(files, new Map());
	spending.noteRunning(task("a"), 0.25);
	spending.noteRunning(task("a"), 0.5);
	spending.noteRunning(task("a"), 0.375);
	spending.noteRunning(task("b"), 1);
	expect(spent()).toBe(1.5);
	expect(spent(line("a", 0.5))).toBe(1.5);
	expect(spent(line("a", 0.5), line("b", 2))).toBe(2.5);
});

test("the second attempt of a killed task does not hide what the first one cost", () => {
	openSpending(files, new Map()).noteRunning(task("a"), 0.25);
	const second = openSpending(files, new Map());
	expect(spent(line("a", 0.5))).toBe(0.75);
	second.noteRunning(task("a"), 0.125);
	expect(spent()).toBe(0.375);
});

test("a killed retry counts beside the line of the attempt before it", () => {
	openSpending(files, new Map([line("a", 0.5)])).noteRunning(task("a", 2), 0.25);
	expect(spent(line("a", 0.5))).toBe(0.75);
	expect(spent(line("a", 0.75, 2))).toBe(0.75);
});

test("lines that are replaced count once, whenever the process is killed", async () => {
	const lines = [line("old", 0.5), line("new", 0.25)];
	const spending = openSpending(files, new Map(lines));
	const sums: number[] = [];
	await spending.whileReplacing(
		(id) => id === "old",
		async () => {
			sums.push(spent(...lines), spent(line("new", 0.25)));
		},
	);
	expect([...sums, spent(line("new", 0.25))]).toEqual([0.75, 0.75, 0.75]);
});
