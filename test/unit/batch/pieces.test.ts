import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nameBatchFiles } from "../../../src/batch/batch-files.ts";
import type { BatchTask } from "../../../src/batch/batch-record.ts";
import { buildBatchTasks } from "../../../src/batch/build-batch-tasks.ts";
import { createBudget } from "../../../src/batch/create-budget.ts";
import { createPause } from "../../../src/batch/create-pause.ts";
import { createGroupSync } from "../../../src/batch/ledger/create-group-sync.ts";
import { toEntryId } from "../../../src/batch/ledger/ledger-entry.ts";
import { openLedger } from "../../../src/batch/ledger/open-ledger.ts";
import { parseRate } from "../../../src/batch/parse-rate.ts";
import { hidePassword } from "../../../src/batch/queue/open-queue-backend.ts";
import { toAgentHash, toTaskKey } from "../../../src/batch/to-task-key.ts";
import { parseCause, toTaskResult } from "../../../src/batch/to-task-result.ts";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import type { DelegationResult } from "../../../src/contract/result.ts";
import { batchEnvironment, createBatchDirectory, finished } from "../../helpers/batch-lanes.ts";

const agent: AgentDefinition = {
	name: "explorer",
	description: "Finds things",
	prompt: "Find.\n",
	readonly: true,
	tools: { kind: "allow", names: ["read", "grep"] },
	source: "builtin",
	file: "/a/explorer.md",
	contentHash: "1",
};
const never = new AbortController().signal;

describe("what a batch keeps of a result", () => {
	const resultOf = (results: readonly object[]) => ({ details: { results } }) as unknown as DelegationResult;
	test.each([
		["the child's own time", [{ durationMs: 12.6 }], 13],
		["the time around it when nothing ran", [], 7],
	])("%s", (_name, results, durationMs) => {
		expect(toTaskResult(resultOf(results), 7.4).durationMs).toBe(durationMs);
	});
});

describe("keys", () => {
	const parts = { agentHash: toAgentHash(agent), task: "t", model: undefined, occurrence: 0 };
	test("what the answer depends on changes the key", () => {
		const changes = [
			{ task: "u" },
			{ model: "m/1" },
			{ fingerprint: "f" },
			{ occurrence: 1 },
			{ agentHash: toAgentHash({ ...agent, prompt: "Seek." }) },
			{ agentHash: toAgentHash({ ...agent, tools: { kind: "allow", names: ["read"] } }) },
		];
		const keys = changes.map((change) => toTaskKey({ ...parts, ...change }));
		expect(new Set([toTaskKey(parts), ...keys]).size).toBe(changes.length + 1);
	});

	test("what it does not depend on leaves it alone", () => {
		const { name, ...rest } = agent;
		const reordered = {
			...rest,
			name,
			description: "Reworded",
			file: "/b.md",
			contentHash: "2",
			prompt: "Find.\n\n",
		};
		expect(toAgentHash(reordered)).toBe(toAgentHash(agent));
	});

	test("equal rows are tasks of their own, and a row inserted before them changes no key", async () => {
		const directory = createBatchDirectory();
		const options = { cwd: directory.path, env: batchEnvironment(directory.path), offline: true };
		const ask = (task: string) => ({ agent: "explorer", task });
		const keysOf = (tasks: Iterable<BatchTask>): string[] => [...tasks].map(({ key }) => key);
		const before = keysOf((await buildBatchTasks([ask("a"), ask("a"), ask("b")], options)).tasks);
		const after = keysOf((await buildBatchTasks([ask("z"), ask("a"), ask("a"), ask("b")], options)).tasks);
		expect(new Set(before).size).toBe(3);
		expect(after.slice(1)).toEqual(before);
		await expect(
			buildBatchTasks(
				[
					{ id: "x", ...ask("a") },
					{ id: "x", ...ask("b") },
				],
				options,
			),
		).rejects.toThrow(/id "x" occurs twice/);
		await expect(buildBatchTasks([{ agent: "nobody", task: "a" }], options)).rejects.toThrow(/nobody/);
		await expect(buildBatchTasks([ask(" ")], options)).rejects.toThrow(/Task "1": task is empty/);
		directory.remove();
	});
});

describe("budget", () => {
	const create = (changes = {}) =>
		createBudget({
			budgetUsd: 1,
			maxUsdPerTask: undefined,
			concurrency: 2,
			spentUsd: 0,
			dearestUsd: undefined,
			...changes,
		});

	test("without a price only as many run as may run at once", async () => {
		const budget = create();
		expect(await budget.reserve(never)).toBe(true);
		expect(await budget.reserve(never)).toBe(true);
		let third: boolean | undefined;
		void budget.reserve(never).then((covered) => {
			third = covered;
		});
		await new Promise((resolve) => setImmediate(resolve));
		expect(third).toBeUndefined();
		budget.settle(0.6);
		await new Promise((resolve) => setImmediate(resolve));
		// 0.6 spent, 0.6 reserved for the one that runs: a third does not fit, and is only refused once that has ended.
		expect(third).toBeUndefined();
		budget.settle(0.3);
		await new Promise((resolve) => setImmediate(resolve));
		expect(third).toBe(false);
		expect(budget.spentUsd()).toBeCloseTo(0.9);
	});

	test("with a limit for each task the budget is never exceeded", async () => {
		const budget = create({ maxUsdPerTask: 0.4 });
		expect([await budget.reserve(never), await budget.reserve(never)]).toEqual([true, true]);
		budget.settle(0.4);
		budget.settle(0.4);
		expect(await budget.reserve(never)).toBe(false);
	});

	test("what earlier runs spent counts, and waiting ends with the signal", async () => {
		expect(await create({ spentUsd: 1, dearestUsd: 0.1 }).reserve(never)).toBe(false);
		const stop = new AbortController();
		const budget = create({ dearestUsd: 0.6 });
		await budget.reserve(never);
		const waiting = budget.reserve(stop.signal);
		stop.abort();
		expect(await waiting).toBe(false);
	});
});

describe("pause", () => {
	test("as long as the provider asks, else longer each time; a success starts over", () => {
		let now = 1000;
		const pause = createPause(() => now);
		pause.holdForQuota(undefined);
		expect(pause.until()).toBe(6000);
		pause.holdForQuota(undefined);
		expect(pause.until()).toBe(6000);
		now = 7000;
		pause.holdForQuota(undefined);
		expect(pause.until()).toBe(17_000);
		pause.holdForQuota(60_000);
		expect(pause.until()).toBe(67_000);
		expect(pause.refusedSince()).toBe(1000);
		now = 70_000;
		pause.noteSuccess();
		pause.holdForQuota(undefined);
		expect(pause.until()).toBe(75_000);
	});
});

describe("ledger", () => {
	const record = (id: string) => {
		const outcome = finished();
		if (outcome.kind !== "finished") throw new Error("unreachable");
		return { id, key: `key-${id}`, agent: "explorer", ...outcome.result };
	};

	test("a line is in the file when write returns, and a group of writes shares syncs", async () => {
		const directory = createBatchDirectory();
		const files = nameBatchFiles(join(directory.path, "deep", "out.jsonl"));
		const ledger = await openLedger(files);
		const synced = [ledger.write(record("a")), ledger.write(record("b"))];
		expect(readFileSync(files.output, "utf8").split("\n")).toHaveLength(3);
		await Promise.all(synced);
		await ledger.close();
		const again = await openLedger(files);
		expect([...again.entries.values()].map(({ id }) => id)).toEqual(["a", "b"].map(toEntryId));
		expect(again.entries.has("key-b")).toBe(true);
		await again.close();
		directory.remove();
	});

	test("a whole last line without its line break is kept", async () => {
		const directory = createBatchDirectory();
		const files = nameBatchFiles(join(directory.path, "out.jsonl"));
		writeFileSync(files.output, `${JSON.stringify(record("a"))}\n${JSON.stringify(record("ü"))}`);
		const ledger = await openLedger(files);
		await ledger.write(record("c"));
		await ledger.close();
		const lines = readFileSync(files.output, "utf8").trimEnd().split("\n");
		expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(["a", "ü", "c"]);
		directory.remove();
	});

	test("a failed sync reaches those who waited for it, and the next one works", async () => {
		let calls = 0;
		const sync = createGroupSync(async () => {
			calls += 1;
			if (calls === 1) throw new Error("disk");
		});
		const first = Promise.allSettled([sync(), sync()]);
		await expect(first).resolves.toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
		await expect(sync()).resolves.toBeUndefined();
		expect(calls).toBe(2);
	});
});

test("names of files follow the output", () => {
	const path = join(tmpdir(), "x", "out.jsonl");
	expect(nameBatchFiles(path)).toMatchObject({
		failed: join(tmpdir(), "x", "out.failed.jsonl"),
		lock: `${path}.lock`,
	});
});

test.each([
	["60/min", { count: 60, perMs: 60_000 }],
	["5/s", { count: 5, perMs: 1000 }],
	["1000/h", { count: 1000, perMs: 3_600_000 }],
])("rate %s", (text, rate) => expect(parseRate(text)).toEqual(rate));
test.each(["0/min", "5", "5/day", "-1/s", "1.5/s"])("no rate: %s", (text) => {
	expect(() => parseRate(text)).toThrow(/A rate is a number per unit/);
});

test("the address of a queue is kept without its password", () => {
	expect(hidePassword("postgres://me:secret@host/db")).toBe("postgres://me:***@host/db");
	expect(() => hidePassword("nonsense")).toThrow(/redis:\/\/localhost/);
});

test("a cause is read tolerantly", () => {
	expect(parseCause({ cause: { kind: "rate_limited", status: 429, retryAfterMs: 5, more: 1 } })).toEqual({
		kind: "rate_limited",
		status: 429,
		retryAfterMs: 5,
	});
	expect([parseCause(undefined), parseCause({}), parseCause({ cause: { kind: 4 } })]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
});
