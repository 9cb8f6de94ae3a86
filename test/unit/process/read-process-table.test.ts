import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
	findDescendants,
	isRunning,
	listProcesses,
	type ProcessEntry,
	parseProcessStat,
	readProcess,
	selectDescendants,
} from "../../../src/process/read-process-table.ts";
import { childFixture, until } from "../../helpers/process-children.ts";

describe("the process table", () => {
	it("knows this process", () => {
		const own = readProcess(process.pid);
		expect(own).toMatchObject({ pid: process.pid, parentPid: process.ppid });
		expect(own?.residentPages).toBeGreaterThan(1000);
		expect(isRunning(own!)).toBe(true);
	});

	it("reads a name that contains spaces and parentheses", () => {
		const fields = Array.from({ length: 50 }, (_, index) => String(index + 3));
		fields[0] = "S";
		expect(parseProcessStat(`42 (a) b (c) ${fields.join(" ")}\n`)).toEqual({
			pid: 42,
			state: "S",
			// The ninth field is 9 here, and its third bit, of a process that is ending, is not set.
			isEnding: false,
			parentPid: 4,
			groupId: 5,
			startTime: 22,
			residentPages: 24,
		});
		expect(parseProcessStat("")).toBeUndefined();
		expect(parseProcessStat("42 (torn) S 1")).toBeUndefined();
	});

	it("does not take another process with the same number, or a zombie, for the one that was noted", async () => {
		const own = readProcess(process.pid)!;
		expect(isRunning({ ...own, startTime: own.startTime - 1 })).toBe(false);
		const child = spawn(process.execPath, [childFixture("wait-forever")], {
			stdio: ["ignore", "pipe", "ignore"],
		});
		await once(child.stdout, "data");
		const entry = readProcess(child.pid!)!;
		expect(isRunning(entry)).toBe(true);
		child.kill("SIGKILL");
		expect(await until(() => !isRunning(entry), 5000)).toBe(true);
	});

	it("finds children of children, also when the table has a loop", () => {
		const entry = (pid: number, parentPid: number): ProcessEntry => ({
			pid,
			parentPid,
			groupId: 1,
			state: "S",
			isEnding: false,
			startTime: 1,
			residentPages: 1,
		});
		const table = [entry(2, 1), entry(3, 2), entry(4, 3), entry(5, 1), entry(9, 8), entry(8, 9)];
		expect(selectDescendants(2, table).map(({ pid }) => pid)).toEqual([3, 4]);
		expect(
			selectDescendants(1, table)
				.map(({ pid }) => pid)
				.toSorted(),
		).toEqual([2, 3, 4, 5]);
		expect(
			selectDescendants(8, table)
				.map(({ pid }) => pid)
				.toSorted(),
		).toEqual([8, 9]);
	});

	it("finds the running children of children, whichever thread started them", async () => {
		const program = `
			const { Worker } = require("node:worker_threads");
			const nap = "require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' })";
			eval(nap);
			new Worker(nap + "; setInterval(() => {}, 1000)", { eval: true });
			require("node:child_process").spawn(process.execPath, ["-e", nap + "; setInterval(() => {}, 1000)"], { stdio: "ignore" });
			setInterval(() => {}, 1000);
		`;
		const child = spawn(process.execPath, ["-e", program], { stdio: "ignore", detached: true });
		try {
			expect(await until(() => findDescendants(child.pid!).length === 4, 10_000)).toBe(true);
			const pids = (entries: readonly ProcessEntry[]) => entries.map(({ pid }) => pid).toSorted();
			expect(pids(findDescendants(child.pid!))).toEqual(pids(selectDescendants(child.pid!, listProcesses())));
		} finally {
			process.kill(-child.pid!, "SIGKILL");
		}
		expect(findDescendants(2 ** 30)).toEqual([]);
	});
});
