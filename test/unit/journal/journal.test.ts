import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { appendJournal } from "../../../src/journal/append-journal.ts";
import { journalFile } from "../../../src/journal/journal-file.ts";
import type { JournalRecord, JournalStart } from "../../../src/journal/journal-record.ts";
import { noteBatch, readKnownBatches } from "../../../src/journal/known-batches.ts";
import { isJournalStart, parseJournalLine } from "../../../src/journal/parse-journal-line.ts";
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

const start = (name: string): JournalStart => ({
	event: "start",
	time: "2026-01-01T00:00:00.000Z",
	kind: "subagent",
	name,
	runId: "1",
	summary: "s" as RedactedText,
	process: { pid: 1, host: "h" },
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

	it("keeps starts beside ends, and gives back ends", () => {
		appendJournal(home.agentDirectory, start("a"));
		appendJournal(home.agentDirectory, record("a", { runId: "1", startedAt: "2026-01-01T00:00:00.000Z" }));
		expect(readJournal(home.agentDirectory)).toMatchObject([{ name: "a", ok: true }]);
		const lines = readFileSync(journalFile(home.agentDirectory), "utf8").split("\n").map(parseJournalLine);
		expect(lines.filter((line) => line !== undefined && isJournalStart(line))).toMatchObject([
			{ event: "start", name: "a", process: { pid: 1 } },
		]);
		expect(parseJournalLine(JSON.stringify({ ...start("a"), process: 5 }))).toBeUndefined();
	});

	it("keeps everything else when a batch of 10,000 runs, and reads both in the order of time", () => {
		const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
		appendJournal(home.agentDirectory, record("before", { time: at(0) }));
		for (let index = 0; index < 10_000; index += 1) {
			const task = {
				time: at(1 + index),
				runId: String(index),
				batch: "b",
				summary: "x".repeat(300) as RedactedText,
			};
			appendJournal(home.agentDirectory, { ...start("task"), ...task });
			appendJournal(home.agentDirectory, record("task", task));
		}
		appendJournal(home.agentDirectory, record("after", { time: at(5000) }));
		const names = readJournal(home.agentDirectory).map(({ name }) => name);
		expect(names.at(-1)).toBe("before");
		const after = names.indexOf("after");
		expect(names[after - 1]).toBe("task");
		expect(names[after + 1]).toBe("task");
		const total = readdirSync(dirname(journalFile(home.agentDirectory)))
			.map((name) => statSync(join(dirname(journalFile(home.agentDirectory)), name)).size)
			.reduce((sum, size) => sum + size, 0);
		expect(total).toBeLessThan(6.5 * 1024 * 1024);
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

	it("knows where batches write, each once, the newest first", () => {
		let minutes = 0;
		const note = (id: string, output = `/${id}`): void => {
			minutes += 1;
			const time = new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
			noteBatch(home.agentDirectory, { id, output, time });
		};
		for (const id of ["a", "b", "a"]) note(id);
		note("c", "/b");
		note("a", "/moved");
		expect(readKnownBatches(home.agentDirectory)).toMatchObject([
			{ id: "a", output: "/moved" },
			{ id: "c", output: "/b" },
		]);
		for (let index = 0; index < 210; index += 1) note(String(index));
		expect(readKnownBatches(home.agentDirectory)).toHaveLength(200);
		const file = home.write("not-a-directory-either", "");
		noteBatch(file, { id: "a", output: "/a", time: "2026-01-01T00:00:00.000Z" });
		expect(readKnownBatches(file)).toEqual([]);
	});

	it("loses no batch of those that start together", async () => {
		const module = new URL("../../../src/journal/known-batches.ts", import.meta.url);
		const code = `
			const { noteBatch } = await import(${JSON.stringify(module.href)});
			const time = new Date().toISOString();
			for (let index = 0; index < 20; index += 1) {
				const name = process.argv[1] + "-" + index;
				noteBatch(${JSON.stringify(home.agentDirectory)}, { id: name, output: "/" + name, time });
			}`;
		const start = async (name: string): Promise<unknown> =>
			promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code, name]);
		await Promise.all(["a", "b", "c"].map(start));
		expect(readKnownBatches(home.agentDirectory)).toHaveLength(60);
	});

	it("never fails the work it tells about", () => {
		const file = home.write("not-a-directory", "");
		appendJournal(file, record("a"));
		expect(readJournal(file)).toEqual([]);
	});
});
