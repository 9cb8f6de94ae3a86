import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { describeFilter, filterJournal } from "../../../src/commands/filter-journal.ts";
import type { Surroundings } from "../../../src/config/read-surroundings.ts";
import type { JournalRecord } from "../../../src/journal/journal-record.ts";

const place = { cwd: "/home/me/code", surroundings: { home: "/home/me" } as Surroundings };
const record = (parts: Partial<JournalRecord>): JournalRecord => ({
	...{ time: "2026-01-01T00:00:00Z", kind: "subagent", name: "explorer", ok: true, durationMs: 1 },
	summary: "" as RedactedText,
	...parts,
});
const here = record({ runId: "a", cwd: "~/code", model: "acme/Opus-5" });
const below = record({ runId: "b", cwd: "~/code/sub", model: "acme/small" });
const beside = record({ runId: "c", cwd: "~/code-2", model: "acme/opus-5" });
const call = record({ kind: "web", name: "web_search", runId: "a" });
const own = record({ kind: "lsp", name: "lsp" });
const all = [here, below, beside, call, own];

describe("the journal narrowed", () => {
	it("to a project has what ran in it and below it, and the calls of those runs", () => {
		expect(filterJournal(all, { project: "." }, place)).toEqual([here, below, call]);
		expect(filterJournal(all, { project: "/home/me/code-2" }, place)).toEqual([beside]);
	});

	it("to a model has those whose name contains it", () => {
		expect(filterJournal(all, { model: "OPUS" }, place)).toEqual([here, beside, call]);
		expect(filterJournal(all, { model: "opus", project: "." }, place)).toEqual([here, call]);
	});

	it("to nothing is everything", () => {
		expect(filterJournal(all, {}, place)).toBe(all);
		expect(describeFilter({})).toBe("");
		expect(describeFilter({ project: ".", model: "opus" })).toBe("in . with model opus");
	});
});
