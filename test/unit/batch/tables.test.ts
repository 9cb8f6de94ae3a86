import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { createDigestTable, digestKey, digestText } from "../../../src/batch/create-digest-table.ts";
import { createTaskStore } from "../../../src/batch/create-task-store.ts";
import { createEntryTable } from "../../../src/batch/ledger/create-entry-table.ts";
import type { LedgerEntry } from "../../../src/batch/ledger/ledger-entry.ts";

describe("a table of digests", () => {
	test("finds what was added, and only that, also after it has grown", () => {
		const table = createDigestTable(4);
		for (let number = 0; number < 5000; number += 1)
			table.bytesAt(table.add(digestText(`text ${number}`))).writeUInt32LE(number);
		expect(table.size()).toBe(5000);
		for (let number = 0; number < 5000; number += 1) {
			const row = table.find(digestText(`text ${number}`));
			expect(table.bytesAt(row).readUInt32LE()).toBe(number);
			expect(table.add(digestText(`text ${number}`))).toBe(row);
		}
		expect(table.find(digestText("another"))).toBe(-1);
		expect(table.size()).toBe(5000);
	});

	test("is not slowed down by keys that somebody chose alike", () => {
		const table = createDigestTable(0);
		const startedAt = process.cpuUsage().user;
		for (let number = 0; number < 100_000; number += 1)
			table.add(digestKey(`${"0".repeat(24)}${number.toString(16).padStart(8, "0")}`));
		expect(table.size()).toBe(100_000);
		// Seconds less than the minutes that comparing each with all before it takes.
		expect(process.cpuUsage().user - startedAt).toBeLessThan(20_000_000);
	});

	test("knows a key of any form by itself and by what it gives back", () => {
		const key = "key of somebody else";
		expect(digestKey(digestKey(key).toString("hex"))).toEqual(digestKey(key));
	});
});

test("entries come back as they were set", () => {
	const table = createEntryTable();
	const id = digestText("a").toString("hex");
	const done: LedgerEntry = {
		...{
			id,
			status: "done",
			attempt: 70_000,
			costUsd: 0.125,
			durationMs: 12.5,
			finishedAt: 1_800_000_000_123,
		},
	};
	const failed: LedgerEntry = { ...done, status: "failed", kind: "network", attempt: 1, finishedAt: 0 };
	const [one, other] = ["0".repeat(31).concat("1"), "f".repeat(32)] as const;
	table.set(one, failed);
	table.set(other, failed);
	table.set(one, done);
	expect([...table]).toEqual([
		[one, done],
		[other, failed],
	]);
	expect(table.get(other)).toEqual(failed);
	expect([table.size, table.has(one), table.has("0".repeat(32)), table.get("x")]).toEqual([
		2,
		true,
		false,
		undefined,
	]);
});

test("tasks that are more than memory should take wait in a file that nobody sees, in their order", () => {
	const listed = () => readdirSync(tmpdir()).filter((name) => name.startsWith("deputize-tasks-"));
	const before = listed();
	const store = createTaskStore();
	const text = "é".repeat(100_000);
	const toTask = (number: number) => ({
		id: `${number}`,
		key: `${number}`,
		agent: "a",
		task: `${number} ${text}`,
	});
	for (let number = 0; number < 60; number += 1) store.add(toTask(number));
	expect(listed()).toEqual(before);
	for (const round of [1, 2])
		expect([round, ...store]).toEqual([round, ...Array.from({ length: 60 }, (_, at) => toTask(at))]);
	expect(store.size()).toBe(60);
	store.close();
	store.close();
});
