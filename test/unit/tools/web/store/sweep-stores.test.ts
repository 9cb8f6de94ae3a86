import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sweepStores } from "../../../../../src/tools/web/store/sweep-stores.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2026-06-01T00:00:00Z");
let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "deputize-stores-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeStore(name: string, ageDays: number, bytes = 10): void {
	const directory = join(root, name);
	mkdirSync(directory);
	const at = new Date(NOW - ageDays * DAY_MS);
	const file = join(directory, "fetch-0123456789ab.0.txt");
	writeFileSync(file, "x".repeat(bytes));
	utimesSync(file, at, at);
	utimesSync(directory, at, at);
}

const sweep = (limits = {}) => sweepStores(root, { keep: join(root, "mine"), now: NOW, limits });

describe("the sweep of stored pages", () => {
	it("removes what nobody wrote to for a month and keeps the rest", async () => {
		writeStore("old", 31);
		writeStore("new", 29);
		writeStore("mine", 400);
		expect(await sweep()).toBe(1);
		expect(readdirSync(root).sort()).toEqual(["mine", "new"]);
	});

	it("keeps at most so many stores, the newest", async () => {
		for (let age = 0; age < 60; age += 1) writeStore(`s${age}`, age / 10);
		expect(await sweep()).toBe(10);
		expect(readdirSync(root)).toContain("s49");
		expect(readdirSync(root)).not.toContain("s50");
	});

	it("keeps at most so many bytes, but always the store of this session", async () => {
		writeStore("new", 1, 600);
		writeStore("older", 2, 600);
		writeStore("mine", 3, 600);
		expect(await sweep({ maxTotalBytes: 1000 })).toBe(1);
		expect(readdirSync(root).sort()).toEqual(["mine", "new"]);
	});

	it("touches nothing that is no store, follows no link and survives a missing directory", async () => {
		const outside = mkdtempSync(join(tmpdir(), "deputize-outside-"));
		try {
			writeFileSync(join(outside, "precious"), "x");
			symlinkSync(outside, join(root, "link"));
			writeFileSync(join(root, "file"), "x");
			expect(await sweep({ maxStores: 0 })).toBe(0);
			expect(readdirSync(outside)).toEqual(["precious"]);
			expect(readdirSync(root).sort()).toEqual(["file", "link"]);
			expect(await sweepStores(join(root, "nowhere"), { keep: "" })).toBe(0);
		} finally {
			rmSync(outside, { recursive: true, force: true });
		}
	});
});
