import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HistoryEntry } from "../../../../src/loop/providers/provider.ts";
import { openSessionTranscript } from "../../../../src/loop/session/open-session-transcript.ts";

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "deputize-transcript-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () =>
	openSessionTranscript({
		session: { id: "s", file: join(directory, "s.jsonl"), resumed: true },
		agent: "explorer",
		cwd: "/work",
	});

const user: HistoryEntry = { kind: "user", text: "hi" };
const call = { id: "c1", name: "bash_read", argumentsText: "{}" };
const asked: HistoryEntry = {
	kind: "assistant",
	text: "",
	toolCalls: [call],
	native: { family: "anthropic", model: "m", content: [{ type: "thinking", thinking: "t", signature: "s" }] },
};
const answered: HistoryEntry = {
	kind: "tools",
	results: [{ id: "c1", name: "bash_read", text: "x", isError: false }],
};

describe("openSessionTranscript", () => {
	it("begins with a header for its owner, and gives back what was said", () => {
		const first = open();
		expect(first.history).toEqual([]);
		for (const entry of [user, asked, answered]) first.remember(entry);
		const file = join(directory, "s.jsonl");
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "")).toMatchObject({
			type: "session",
			id: "s",
			cwd: "/work",
			agent: "explorer",
			runtime: "loop",
		});
		expect(open().history).toEqual([user, asked, answered]);
		expect(readFileSync(file, "utf8").match(/"type":"session"/g)).toHaveLength(1);
	});

	it("survives a torn last line", () => {
		const first = open();
		first.remember(user);
		appendFileSync(join(directory, "s.jsonl"), '{"type":"message","kind":"assis');
		const second = open();
		expect(second.history).toEqual([user]);
		second.remember({ kind: "user", text: "again" });
		expect(open().history).toEqual([user, { kind: "user", text: "again" }]);
	});

	it("leaves out calls that were never answered", () => {
		const first = open();
		first.remember(user);
		first.remember({ ...asked, text: "I will look." });
		expect(open().history).toEqual([user, { kind: "assistant", text: "I will look.", toolCalls: [] }]);
	});

	it("ignores lines it does not know", () => {
		open().remember(user);
		appendFileSync(join(directory, "s.jsonl"), '{"type":"note"}\nnull\n7\n');
		expect(open().history).toEqual([user]);
	});

	it("leaves the session of another program alone", () => {
		const file = join(directory, "s.jsonl");
		const text = '{"type":"session","id":"s","cwd":"/work"}\n{"type":"message","message":{"role":"user"}}\n';
		writeFileSync(file, text);
		expect(open).toThrow(/runtime it began with/);
		expect(readFileSync(file, "utf8")).toBe(text);
	});
});
