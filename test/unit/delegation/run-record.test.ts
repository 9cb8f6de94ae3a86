import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { journalFile } from "../../../src/journal/journal-file.ts";
import { runEventsDirectory } from "../../../src/journal/open-run-events.ts";
import { parseJournalLine } from "../../../src/journal/parse-journal-line.ts";
import { readRunEvents } from "../../../src/journal/read-run-events.ts";
import { createFaultBench, type FaultBench, posedPi } from "../../helpers/process-faults.ts";

let bench: FaultBench;
let agentDirectory: string;
beforeEach(() => {
	bench = createFaultBench();
	agentDirectory = join(bench.home, ".pi", "agent");
});
afterEach(() => bench.remove());

const readLines = (shelf: "single" | "batch") =>
	readFileSync(journalFile(agentDirectory, shelf), "utf8")
		.split("\n")
		.flatMap((line) => parseJournalLine(line) ?? []);

const SECRET = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKl";

it("notes start, end and events of a run, redacted", async () => {
	const result = await bench.delegateTo(posedPi("good-run"), {
		task: `probe with ${SECRET}`,
		host: { parent: "pi:abc" },
	});
	const { runId } = result.details;
	const [start, end] = readLines("single");
	expect(start).toMatchObject({
		event: "start",
		name: "prober",
		runId,
		parent: "pi:abc",
		model: "posed/model",
		cwd: bench.project,
		process: { pid: process.pid },
	});
	expect(end).toMatchObject({ ok: true, runId, parent: "pi:abc", startedAt: start?.time });
	const [file] = readdirSync(runEventsDirectory(agentDirectory));
	const path = join(runEventsDirectory(agentDirectory), file ?? "");
	const { events } = readRunEvents(path);
	expect(events[0]).toMatchObject({
		type: "start",
		task: expect.stringContaining("[REDACTED]"),
		runtime: "pi",
	});
	expect(events.at(-1)).toMatchObject({ type: "end", ok: true, output: expect.any(String) });
	expect(events.map(({ type }) => type)).toContain("message");
	expect(readFileSync(path, "utf8") + readFileSync(journalFile(agentDirectory), "utf8")).not.toContain(
		"AbCdEfGh",
	);
});

it("notes tasks of a batch beside the others, and leaves no events of them", async () => {
	await bench.delegateTo(posedPi("good-run"), { batch: "a-batch" });
	expect(readLines("batch")).toMatchObject([
		{ event: "start", batch: "a-batch" },
		{ ok: true, batch: "a-batch" },
	]);
	expect(() => readLines("single")).toThrow();
	expect(readdirSync(runEventsDirectory(agentDirectory))).toEqual([]);
});

it("says which run asked, inside a child", async () => {
	await bench.delegateTo(posedPi("good-run"), { env: { PI_SUBAGENT_RUN: "0123abcd" } });
	expect(readLines("single")[0]).toMatchObject({ parent: "run:0123abcd" });
});
