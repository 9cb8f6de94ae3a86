import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { appendJournal } from "../../../src/journal/append-journal.ts";
import { readDailySums } from "../../../src/journal/daily-sums.ts";
import { journalFile, KEPT_FILES, rotatedFile } from "../../../src/journal/journal-file.ts";
import { readJournal } from "../../../src/journal/read-journal.ts";
import { sumSpending } from "../../../src/viewer/sum-spending.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const record = (time: string, cost: number) => ({
	time,
	kind: "subagent" as const,
	name: "explorer",
	ok: true,
	durationMs: 10,
	summary: "task" as RedactedText,
	runId: "0123abcd",
	usage: { ...NO_USAGE, input: 100, cost },
});

describe("runs that the journal forgets", () => {
	it("leave the sums of their days behind", () => {
		const file = journalFile(home.agentDirectory);
		mkdirSync(dirname(file), { recursive: true });
		const old = [
			record("2025-03-01T12:00:00.000Z", 1),
			record("2025-03-01T13:00:00.000Z", 2),
			record("2025-03-03T12:00:00.000Z", 4),
		];
		writeFileSync(rotatedFile(file, KEPT_FILES - 1), old.map((line) => `${JSON.stringify(line)}\n`).join(""));
		for (let age = 0; age < KEPT_FILES - 1; age += 1)
			writeFileSync(rotatedFile(file, age), " ".repeat(1024 * 1024));
		appendJournal(home.agentDirectory, record("2026-01-01T12:00:00.000Z", 8));
		expect(readJournal(home.agentDirectory).map(({ usage }) => usage?.cost)).toEqual([8]);
		expect(readDailySums(home.agentDirectory)).toMatchObject([
			{ day: "2025-03-01", runs: 2, tokens: 200, costUsd: 3 },
			{ day: "2025-03-03", runs: 1, costUsd: 4 },
		]);
		const spending = sumSpending([], readDailySums(home.agentDirectory));
		expect(spending).toMatchObject({ since: "2025-03-01", forgotten: 3, total: { runs: 3, costUsd: 7 } });
		expect(spending.days.map(({ name, costUsd }) => [name, costUsd])).toEqual([
			["2025-03-03", 4],
			["2025-03-01", 3],
		]);
	});

	it("are none while there is room", () => {
		appendJournal(home.agentDirectory, record("2026-01-01T12:00:00.000Z", 8));
		expect(readDailySums(home.agentDirectory)).toEqual([]);
		expect(existsSync(journalFile(home.agentDirectory))).toBe(true);
	});
});
