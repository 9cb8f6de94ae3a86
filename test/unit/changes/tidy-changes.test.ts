import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { applyChanges } from "../../../src/changes/apply-changes.ts";
import { type ChangeRecord, readRecord, writeRecord } from "../../../src/changes/change-record.ts";
import { stateDirectory } from "../../../src/changes/changes-directory.ts";
import { findChange, readRecords } from "../../../src/changes/find-changes.ts";
import { listTouched } from "../../../src/changes/list-touched.ts";
import { tidyChanges } from "../../../src/changes/tidy-changes.ts";
import { takeFileLock } from "../../../src/process/take-file-lock.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2026-11-17T00:00:00Z");
const RULES = { maxAgeDays: 30, maxMb: 4 };

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

function keep(id: string, ageDays: number, more: Partial<ChangeRecord> = {}, bytes = 0): void {
	const state = stateDirectory(home.agentDirectory, id);
	const time = new Date(NOW - ageDays * DAY_MS).toISOString();
	mkdirSync(state, { recursive: true });
	writeFileSync(join(state, "large"), Buffer.alloc(bytes, "x"));
	writeRecord(state, {
		...{ version: 1, id, state: "pending", project: home.project, isolation: "layer" },
		...{ origin: { agent: "fixer", task: "x", runId: "12345678" }, createdAt: time, changedAt: time },
		...{ base: "", borrowed: [], isThrownAway: false, wasInterrupted: false, entries: [], files: [] },
		...{
			ignored: { count: 0, names: [] },
			repositories: { count: 0, names: [] },
			applied: [],
			isLayerGone: false,
		},
		...more,
	});
}
const ids = (): readonly string[] => readRecords(home).map(({ record }) => record.id);

it("keeps what is young, and removes what was applied long ago", async () => {
	keep("aaaaaaaa", 29, { state: "applied" });
	keep("bbbbbbbb", 31, { state: "applied" });
	keep("cccccccc", 29);
	keep("dddddddd", 400, { state: "open" });
	expect(await tidyChanges(home, RULES, NOW)).toEqual([]);
	expect([...ids()].sort()).toEqual(["aaaaaaaa", "cccccccc", "dddddddd"]);
});

it("removes what was never applied only a week after it was told", async () => {
	keep("aaaaaaaa", 31);
	expect(await tidyChanges(home, RULES, NOW)).toEqual([
		expect.stringContaining("will be removed after 2026-11-24"),
	]);
	expect(await tidyChanges(home, RULES, NOW + 6 * DAY_MS)).toEqual([expect.stringContaining("2026-11-24")]);
	expect(ids()).toEqual(["aaaaaaaa"]);
	expect(await tidyChanges(home, RULES, NOW + 8 * DAY_MS)).toEqual([expect.stringContaining("was removed")]);
	expect(ids()).toEqual([]);
});

it("removes the oldest applied ones when all take too much, and nothing that was not applied", async () => {
	keep("aaaaaaaa", 3, { state: "applied" }, 2 * 1024 * 1024);
	keep("bbbbbbbb", 2, { state: "applied" }, 1024 * 1024);
	keep("cccccccc", 4, {}, 2 * 1024 * 1024);
	expect(await tidyChanges(home, RULES, NOW)).toEqual([]);
	expect(ids()).toEqual(["bbbbbbbb", "cccccccc"]);
	expect(await tidyChanges(home, { ...RULES, maxMb: 1 }, NOW)).toEqual([
		expect.stringContaining("Apply or drop some"),
	]);
	expect(ids()).toEqual(["cccccccc"]);
});

it("finds a change by the beginning of its id, and guesses none", () => {
	keep("abc12345", 1);
	keep("abd12345", 2);
	expect(findChange(home, "ABC").record.id).toBe("abc12345");
	expect(() => findChange(home, "ab")).toThrow(/beginning of 2 changes: abc12345, abd12345/);
	expect(() => findChange(home, "abc12346")).toThrow(
		"There is no change abc12346. List them with: deputize changes --all",
	);
	expect(() => findChange(home, "")).toThrow(/There is no change/);
});

it("takes no record that is not one", async () => {
	keep("abc12345", 1);
	const state = stateDirectory(home.agentDirectory, "abc12345");
	for (const text of ["", "{", '{"version":2}', '{"version":1,"id":"../../etc"}']) {
		writeFileSync(join(state, "record.json"), text);
		expect(readRecord(state)).toBeUndefined();
	}
	expect(ids()).toEqual([]);
});

it("leaves a layer alone whose session goes on, when it tidies and when it applies", async () => {
	keep("aaaaaaaa", 31, { state: "applied" });
	keep("bbbbbbbb", 1);
	const locks = ["aaaaaaaa", "bbbbbbbb"].map((id) =>
		takeFileLock(join(stateDirectory(home.agentDirectory, id), "owner.lock")),
	);
	await tidyChanges(home, RULES, NOW);
	expect([...ids()].sort()).toEqual(["aaaaaaaa", "bbbbbbbb"]);
	await expect(applyChanges(home, "bbbbbbbb")).rejects.toThrow("is at work again");
	for (const lock of locks) lock?.release();
	await expect(applyChanges(home, "bbbbbbbb")).rejects.toThrow("has nothing that can be applied");
	await tidyChanges(home, RULES, NOW);
	expect(ids()).toEqual(["bbbbbbbb"]);
});

it("takes a listing that failed for no empty one, and a directory that the child closed for one", async () => {
	expect((await listTouched(join(home.project, "none"))).paths.size).toBe(0);
	const fail = (code: string) => () => {
		throw Object.assign(new Error(code), { code });
	};
	vi.resetModules();
	vi.doMock("node:fs", async (load) => ({
		...(await load<typeof import("node:fs")>()),
		readdirSync: fail("EMFILE"),
	}));
	try {
		const again = await import("../../../src/changes/list-touched.ts");
		await expect(again.listTouched(home.project)).rejects.toThrow("EMFILE");
	} finally {
		vi.doUnmock("node:fs");
		vi.resetModules();
	}
});
