import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactedText } from "../../../src/contract/result.ts";
import { appendJournal, journalFile } from "../../../src/journal/append-journal.ts";
import type { JournalRecord } from "../../../src/journal/journal-record.ts";
import { readJournal } from "../../../src/journal/read-journal.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const record = (name: string, change: Partial<JournalRecord> = {}): JournalRecord => ({
	...{
		time: "2026-01-01T00:00:00.000Z",
		kind: "subagent",
		name,
		ok: true,
		durationMs: 5,
		summary: "s" as RedactedText,
	},
	...change,
});

describe("the journal", () => {
	it("gives back what was written, newest first, for its owner only", () => {
		appendJournal(home.agentDirectory, record("a"));
		appendJournal(home.agentDirectory, record("b", { kind: "web" }));
		expect(readJournal(home.agentDirectory).map(({ name }) => name)).toEqual(["b", "a"]);
		expect(readJournal(home.agentDirectory, { kinds: ["web"] }).map(({ name }) => name)).toEqual(["b"]);
		expect(readJournal(home.agentDirectory, { limit: 1 }).map(({ name }) => name)).toEqual(["b"]);
		expect(statSync(journalFile(home.agentDirectory)).mode & 0o777).toBe(0o600);
	});

	it("survives torn lines and lines of others", () => {
		appendJournal(home.agentDirectory, record("a"));
		appendFileSync(journalFile(home.agentDirectory), '{"kind":"subagent","na\nnull\n[]\n{"kind":"x"}\n');
		appendJournal(home.agentDirectory, record("b"));
		appendFileSync(journalFile(home.agentDirectory), '{"kind":"subagent","name":"cut of');
		appendJournal(home.agentDirectory, record("c"));
		expect(readJournal(home.agentDirectory).map(({ name }) => name)).toEqual(["c", "b", "a"]);
	});

	it("bounds every line and rotates", () => {
		const huge = record("a", {
			summary: "x".repeat(100_000) as RedactedText,
			tools: Array.from({ length: 2000 }, (_, index) => `tool${index}`),
		});
		appendJournal(home.agentDirectory, huge);
		expect(statSync(journalFile(home.agentDirectory)).size).toBeLessThan(4100);
		appendFileSync(journalFile(home.agentDirectory), `${"y".repeat(1024 * 1024)}\n`);
		appendJournal(home.agentDirectory, record("b"));
		expect(readdirSync(dirname(journalFile(home.agentDirectory))).sort()).toEqual([
			"journal.jsonl",
			"journal.jsonl.1",
		]);
		expect(readJournal(home.agentDirectory).map(({ name }) => name)).toEqual(["b", "a"]);
	});

	it("loses no line when several processes write and rotate at once", async () => {
		const lines = 1200;
		const writers = ["a", "b"].map((name) => {
			const program = `
				import { appendJournal } from ${JSON.stringify(import.meta.resolve("../../../src/journal/append-journal.ts"))};
				const record = ${JSON.stringify(record(name, { summary: "x".repeat(300) as RedactedText, tools: ["y".repeat(500)] }))};
				for (let index = 0; index < ${lines}; index += 1) appendJournal(process.argv[1], { ...record, durationMs: index });`;
			return spawn(process.execPath, ["--input-type=module", "-e", program, home.agentDirectory], {
				stdio: ["ignore", "ignore", "inherit"],
			});
		});
		expect(await Promise.all(writers.map((writer) => once(writer, "exit")))).toEqual([
			[0, null],
			[0, null],
		]);
		const written = readJournal(home.agentDirectory).map(({ name, durationMs }) => `${name}${durationMs}`);
		expect(new Set(written).size).toBe(2 * lines);
		expect(readdirSync(dirname(journalFile(home.agentDirectory)))).toHaveLength(3);
	});

	it("rotates again after a process was killed while it did", () => {
		const file = journalFile(home.agentDirectory);
		appendJournal(home.agentDirectory, record("a"));
		appendFileSync(file, `${"y".repeat(1024 * 1024)}\n`);
		writeFileSync(`${file}.rotating`, "");
		utimesSync(`${file}.rotating`, new Date(0), new Date(0));
		for (const name of ["b", "c"]) appendJournal(home.agentDirectory, record(name));
		expect(readdirSync(dirname(file)).sort()).toEqual(["journal.jsonl", "journal.jsonl.1"]);
		expect(readJournal(home.agentDirectory).map(({ name }) => name)).toEqual(["c", "b", "a"]);
	});

	it("passes over a record whose parts are of another kind", () => {
		const good = JSON.stringify(record("a"));
		const bad = ["usage", "summary", "ok", "durationMs"].map((field) =>
			JSON.stringify({ ...record("b"), [field]: { turns: "many" } }),
		);
		appendJournal(home.agentDirectory, record("c"));
		appendFileSync(journalFile(home.agentDirectory), `${[...bad, good].join("\n")}\n`);
		expect(readJournal(home.agentDirectory).map(({ name }) => name)).toEqual(["a", "c"]);
	});

	it("never fails the work it tells about", () => {
		const file = home.write("not-a-directory", "");
		appendJournal(file, record("a"));
		expect(readJournal(file)).toEqual([]);
	});
});
