import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRecentAgent } from "../../../src/sessions/find-recent-agent.ts";
import { parseSessionName, sessionDirectory, sessionsRoot } from "../../../src/sessions/session-path.ts";

const ID = "01234567-89ab-cdef-0123-456789abcdef";
const MINUTE_MS = 60_000;
let home = "";
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "deputize-recent-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, ageMinutes: number): string {
	const directory = sessionDirectory(sessionsRoot(home), home);
	mkdirSync(directory, { recursive: true });
	const file = join(directory, name);
	writeFileSync(file, "");
	const time = Date.now() / 1000 - ageMinutes * 60;
	utimesSync(file, time, time);
	return directory;
}
const find = (): string | undefined => findRecentAgent({ home, cwd: home, maxAgeMs: 10 * MINUTE_MS });

describe("the agent of a short while ago", () => {
	it("is that of the newest session of this directory", () => {
		expect(find()).toBeUndefined();
		write(`explorer_${ID}.jsonl`, 3);
		write(`test_writer_${ID}.jsonl`, 1);
		write(`worker_${ID}.jsonl.lock`, 0);
		write("notes_1.jsonl", 0);
		expect(find()).toBe("test_writer");
	});

	it("is nobody when that is long ago", () => {
		const directory = write(`explorer_${ID}.jsonl`, 11);
		expect(find()).toBeUndefined();
		const long = Date.now() / 1000 - 3600;
		utimesSync(directory, long, long);
		expect(find()).toBeUndefined();
	});
});

it("reads the name of a session's file as it is written", () => {
	expect(parseSessionName(`a_b-c_${ID}.jsonl`)).toEqual({ agent: "a_b-c", sessionId: ID });
	for (const name of [`_${ID}.jsonl`, `a_${ID}.jsonl.lock`, "a_1.jsonl", `../a_${ID}.jsonl`])
		expect(parseSessionName(name)).toBeUndefined();
});
