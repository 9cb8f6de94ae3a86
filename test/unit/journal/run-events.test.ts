import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { openRunEvents, runEventsDirectory, runEventsFile } from "../../../src/journal/open-run-events.ts";
import { readRunEvents } from "../../../src/journal/read-run-events.ts";
import type { RunEnd, RunStart } from "../../../src/journal/run-event.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const text = (value: string) => value as RedactedText;
const START: RunStart = {
	type: "start",
	at: 1,
	start: {
		event: "start",
		time: "2026-01-01T00:00:00.000Z",
		kind: "subagent",
		name: "explorer",
		runId: "12345678",
		summary: text("s"),
		process: { pid: 1, host: "h" },
	},
	task: text("the task"),
	tools: ["read"],
	runtime: "pi",
	sessionFile: "/nowhere.jsonl",
};
const END: RunEnd = { type: "end", at: 9, ok: true, usage: NO_USAGE, durationMs: 8 };
const types = (file: string, offset?: number) => readRunEvents(file, offset).events.map(({ type }) => type);

describe("events of a run", () => {
	it("can be followed while they are written, by their owner only", () => {
		const file = runEventsFile(home.agentDirectory, "12345678");
		const events = openRunEvents(home.agentDirectory, START);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(runEventsDirectory(home.agentDirectory)).mode & 0o777).toBe(0o700);
		const { offset } = readRunEvents(file);
		events.write({ type: "call", at: 2, id: "1", name: "read", args: { path: "a" } });
		expect(types(file, offset)).toEqual(["call"]);
		events.close(END);
		events.close(END);
		events.write({ type: "turn", at: 10 });
		expect(types(file)).toEqual(["start", "call", "end"]);
	});

	it("replaces a text that is being written by what comes next", () => {
		const file = runEventsFile(home.agentDirectory, "12345678");
		const events = openRunEvents(home.agentDirectory, START);
		const first = readRunEvents(file);
		for (const words of ["a long beginning that is longer than what follows", "b"])
			events.write({ type: "writing", at: 2, text: text(words) });
		const writing = readRunEvents(file, first.offset);
		expect(writing.events).toMatchObject([{ type: "writing", text: "b" }]);
		events.write({ type: "turn", at: 3 });
		expect(types(file, writing.offset)).toEqual(["turn"]);
		expect(types(file)).toEqual(["start", "turn"]);
		events.close(END);
	});

	it("stops at a line that is not complete, and reads it when it is", () => {
		const file = runEventsFile(home.agentDirectory, "12345678");
		openRunEvents(home.agentDirectory, START).close(END);
		const whole = readFileSync(file, "utf8");
		writeFileSync(file, whole.slice(0, -10));
		const torn = readRunEvents(file);
		expect(torn.events.map(({ type }) => type)).toEqual(["start"]);
		writeFileSync(file, whole);
		expect(types(file, torn.offset)).toEqual(["end"]);
		expect(readRunEvents(`${file}.missing`)).toEqual({ events: [], offset: 0 });
	});

	it("is bounded in size, and still says how the run ended", () => {
		const file = runEventsFile(home.agentDirectory, "12345678");
		const events = openRunEvents(home.agentDirectory, START);
		const args = { text: "x".repeat(20_000) };
		for (let index = 0; index < 100; index += 1)
			events.write({ type: "call", at: index, id: String(index), name: "read", args });
		events.write({ type: "call", at: 1, id: "y", name: "read", args: { text: "y".repeat(100_000) } });
		events.close(END);
		expect(statSync(file).size).toBeLessThan(600 * 1024);
		expect(types(file).slice(-2)).toEqual(["full", "end"]);
	});

	it("leaves nothing of a batch's tasks, and of others the newest", () => {
		const directory = runEventsDirectory(home.agentDirectory);
		const task = openRunEvents(home.agentDirectory, { ...START, start: { ...START.start, batch: "b" } });
		expect(readdirSync(directory)).toHaveLength(1);
		task.close(END);
		expect(readdirSync(directory)).toEqual([]);
		for (let index = 0; index < 550; index += 1) {
			const file = runEventsFile(home.agentDirectory, `old${index}`);
			writeFileSync(file, "");
			utimesSync(file, index, index);
		}
		openRunEvents(home.agentDirectory, START).close(END);
		expect(readdirSync(directory)).toHaveLength(501);
		expect(existsSync(runEventsFile(home.agentDirectory, "old0"))).toBe(false);
		expect(existsSync(runEventsFile(home.agentDirectory, "old549"))).toBe(true);
	});

	it("never fails the run it is about", () => {
		const file = home.write("not-a-directory", "");
		const events = openRunEvents(file, START);
		events.write({ type: "turn", at: 2 });
		events.close(END);
	});
});
