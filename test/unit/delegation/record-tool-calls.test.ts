import { afterEach, beforeEach, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { createToolCallRecorder } from "../../../src/delegation/record-tool-calls.ts";
import type { Redact } from "../../../src/delegation/redact.ts";
import { readJournal } from "../../../src/journal/read-journal.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

it("notes what a child looked up, how long it took and whether it worked, and nothing about reading files", () => {
	let time = 0;
	const redact = { text: (text: string) => text.replace("hunter2", "[REDACTED]") as RedactedText } as Redact;
	const record = createToolCallRecorder({
		agentDirectory: home.agentDirectory,
		runId: "abc",
		redact,
		now: () => time,
	});
	record({
		type: "tool-start",
		id: "1",
		name: "web_search",
		args: { query: "about hunter2", numResults: 3 },
	});
	record({ type: "tool-start", id: "2", name: "read", args: { path: "x" } });
	record({ type: "tool-start", id: "3", name: "lsp", args: { action: "hover", file: "a.ts" } });
	time = 1500;
	for (const id of ["2", "1", "3"])
		record({
			type: "tool-end",
			id,
			name: { 1: "web_search", 2: "read", 3: "lsp" }[id] ?? "",
			isError: id === "3",
			...(id === "3" && { code: "LSP_SERVER_NOT_FOUND" }),
		});
	expect(readJournal(home.agentDirectory)).toMatchObject([
		{
			kind: "lsp",
			name: "lsp",
			ok: false,
			code: "LSP_SERVER_NOT_FOUND",
			summary: "hover a.ts",
			runId: "abc",
		},
		{ kind: "web", name: "web_search", ok: true, durationMs: 1500, summary: "about [REDACTED]" },
	]);
});
