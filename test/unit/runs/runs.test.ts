import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defined } from "../../../packages/ground/json/defined.ts";
import { finishSteps } from "../../../packages/ground/waiting/run-steps.ts";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { readSurroundings } from "../../../src/config/read-surroundings.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { appendJournal } from "../../../src/journal/append-journal.ts";
import { journalFile } from "../../../src/journal/journal-file.ts";
import type { RunEvent } from "../../../src/journal/run-event.ts";
import { identifyProcess } from "../../../src/process/identify-process.ts";
import { createRunIndex } from "../../../src/runs/create-run-index.ts";
import { readRunDetail } from "../../../src/runs/read-run-detail.ts";
import { readRuns } from "../../../src/runs/read-runs.ts";
import { watchRun } from "../../../src/runs/watch-run.ts";
import { sessionDirectory, sessionFile, sessionsRoot } from "../../../src/sessions/session-path.ts";
import { noteRun, second, toEnd, toStart } from "../../helpers/noted-runs.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const SECRET = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKl";
const text = (value: string) => value as RedactedText;
const detail = (runId: string) => finishSteps(readRunDetail(readSurroundings(home.env), runId));
const gone = { pid: 2 ** 22 + 1, startTime: 1, host: hostname() };

describe("the list of runs", () => {
	it("says how each run stands, newest first", () => {
		appendJournal(
			home.agentDirectory,
			toEnd(toStart("old"), { startedAt: undefined as never, time: second(3) }),
		);
		noteRun(home.agentDirectory, toStart("done", { time: second(10) })).end();
		noteRun(home.agentDirectory, toStart("failed", { time: second(20) })).end({
			ok: false,
			summary: text("why"),
		});
		noteRun(home.agentDirectory, toStart("stopped", { time: second(30) })).end({
			ok: false,
			cause: "cancelled",
		});
		noteRun(home.agentDirectory, toStart("lost", { time: second(40), process: gone }));
		noteRun(home.agentDirectory, toStart("going", { time: second(50) }));
		noteRun(home.agentDirectory, toStart("task", { time: second(60), batch: "b" })).end();
		appendJournal(home.agentDirectory, { ...toEnd(toStart("x")), runId: undefined as never, ok: false });
		const runs = readRuns(home.agentDirectory);
		expect(runs.map(({ runId, state }) => `${runId} ${state}`)).toEqual([
			"task done",
			"going running",
			"lost lost",
			"stopped cancelled",
			"failed failed",
			"done done",
			"old done",
		]);
		expect(runs.find(({ runId }) => runId === "failed")).toMatchObject({
			task: "task of failed",
			error: "why",
		});
		expect(runs.at(-1)?.startedAt).toBe(new Date(Date.parse(second(3)) - 5000).toISOString());
		expect(readRuns(home.agentDirectory, { single: true })).toHaveLength(6);
		expect(readRuns(home.agentDirectory, { state: "failed", text: "WHY explorer" })).toHaveLength(1);
		expect(readRuns(home.agentDirectory, { text: "absent" })).toEqual([]);
	});

	it("finds what somebody asked for, and what those runs started", () => {
		const times = ["a", "b", "c", "d"].entries();
		const parents = ["pi:s", "run:a", "run:b", "pi:other"];
		for (const [count, runId] of times)
			noteRun(
				home.agentDirectory,
				toStart(runId, { time: second(count), ...defined({ parent: parents[count] }) }),
			);
		const found = (parent: string) => readRuns(home.agentDirectory, { parent }).map(({ runId }) => runId);
		expect(found("pi:s")).toEqual(["c", "b", "a"]);
		expect(found("run:b")).toEqual(["c"]);
		expect(found("pi:nobody")).toEqual([]);
	});

	it("reads only what was added, and everything again after a rotation", () => {
		const index = createRunIndex(home.agentDirectory);
		let seen = 0;
		const changes = () => {
			index.refresh();
			const changed = index.changedSince(seen);
			seen = index.version();
			return changed;
		};
		expect(changes()).toEqual([]);
		const run = noteRun(home.agentDirectory, toStart("a"));
		expect(changes()).toMatchObject([{ runId: "a", state: "running" }]);
		expect(changes()).toEqual([]);
		run.end();
		// Somebody else looks first: the change is still one for whoever has not seen it.
		index.refresh();
		expect(changes()).toMatchObject([{ runId: "a", state: "done", durationMs: 5000 }]);
		appendFileSync(journalFile(home.agentDirectory), '{"kind":"subagent","name":"cut of');
		expect(changes()).toEqual([]);
		appendFileSync(journalFile(home.agentDirectory), `\n${"y".repeat(1024 * 1024)}\n`);
		noteRun(home.agentDirectory, toStart("b"));
		index.refresh();
		expect(index.runs().map(({ runId }) => runId)).toEqual(["a", "b"]);
	});
});

const piLine = (at: number, message: object) =>
	JSON.stringify({ type: "message", id: "1", timestamp: second(at), message });
const PI_SESSION = [
	JSON.stringify({ type: "session", id: "s", timestamp: second(0), cwd: "/" }),
	piLine(-60, { role: "user", content: "an earlier run of this session" }),
	piLine(0, { role: "user", content: [{ type: "text", text: "the task" }] }),
	piLine(1, {
		role: "assistant",
		provider: "posed",
		model: "model",
		stopReason: "toolUse",
		usage: { input: 10, output: 2, cost: { total: 0.5 } },
		content: [
			{ type: "thinking", thinking: "where is it" },
			{ type: "text", text: "I look." },
			{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a.ts" } },
		],
	}),
	piLine(2, { role: "toolResult", toolCallId: "c1", content: [{ type: "text", text: `key = "${SECRET}"` }] }),
	"torn {",
	piLine(3, { role: "assistant", content: [{ type: "text", text: "Found." }], stopReason: "stop" }),
].join("\n");

describe("a run in detail", () => {
	it("has exact times from its events, and results and thoughts from the child's transcript, redacted", () => {
		const file = home.write("session.jsonl", PI_SESSION);
		const run = noteRun(home.agentDirectory, toStart("a"), file);
		const at = (seconds: number) => Date.parse(second(seconds));
		const message = {
			type: "message",
			usage: { ...NO_USAGE, input: 10, turns: 1 },
			model: "posed/model",
		} as const;
		run.write({ type: "turn", at: at(0.5) });
		run.write({ ...message, at: at(1), text: text("I look.") });
		run.write({ type: "call", at: at(1.1), id: "c1", name: "read", args: { path: "a.ts" } });
		expect(detail("a")?.entries.at(-1)).toEqual({
			...{ kind: "call", at: at(1.1), id: "c1", name: "read", args: { path: "a.ts" } },
		});
		run.write({ type: "result", at: at(1.4), id: "c1", isError: true });
		run.write({ type: "correction", at: at(2) });
		run.write({ type: "writing", at: at(2.5), text: text("Fou") });
		expect(detail("a")?.entries.at(-1)).toEqual({ kind: "text", at: at(2.5), text: "Fou", isOpen: true });
		run.write({ ...message, at: at(3), text: text("Found.") });
		run.end();
		const shown = detail("a");
		expect(shown?.entries.map((entry) => entry.kind)).toEqual([
			"task",
			"thinking",
			"text",
			"call",
			"note",
			"text",
		]);
		expect(shown?.entries[3]).toMatchObject({ at: at(1.1), endedAt: at(1.4), isError: true });
		expect(shown?.entries[3]).toMatchObject({ result: expect.stringContaining("[REDACTED]") });
		expect(shown?.turns).toMatchObject([
			{ at: at(0.5), endedAt: at(1), usage: { input: 10 } },
			{ at: at(1.4), endedAt: at(3) },
		]);
		expect(shown).toMatchObject({
			state: "done",
			runtime: "pi",
			output: "the answer",
			tools: ["read", "grep"],
		});
		expect(JSON.stringify(shown)).not.toContain("AbCdEfGh");
		expect(JSON.stringify(shown)).not.toContain("earlier run");
	});

	it("has a call below the text it was announced before, results of the events, and no turn for parts of one", () => {
		const run = noteRun(home.agentDirectory, toStart("a"));
		const message = { type: "message", usage: { ...NO_USAGE, turns: 1 } } as const;
		const at = (seconds: number) => Date.parse(second(seconds));
		run.write({ type: "turn", at: at(1) });
		run.write({ type: "call", at: at(1.5), id: "1", name: "Read", args: {} });
		run.write({ type: "call", at: at(1.6), id: "2", name: "Read", args: {} });
		run.write({ ...message, at: at(2), text: text("Looking.") });
		run.write({ type: "result", at: at(3), id: "1", isError: false, text: text("the file") });
		run.write({ type: "turn", at: at(3.9) });
		run.write({ ...message, at: at(4), text: text("Found.") });
		run.write({ ...message, at: at(4), text: text(""), usage: NO_USAGE });
		run.end();
		expect(detail("a")).toMatchObject({
			entries: [
				{ kind: "task" },
				{ kind: "text", text: "Looking." },
				{ kind: "call", id: "1", result: "the file", endedAt: at(3) },
				{ kind: "call", id: "2" },
				{ kind: "text", text: "Found." },
			],
			turns: [
				{ at: at(1), endedAt: at(2) },
				{ at: at(3), endedAt: at(4) },
			],
		});
	});

	it("is read from pi's session alone when there are no events", () => {
		const id = "550e8400-e29b-41d4-a716-446655440000";
		const file = sessionFile(sessionDirectory(sessionsRoot(home.home), home.project), "explorer", id);
		home.write(file, PI_SESSION);
		appendJournal(home.agentDirectory, toEnd(toStart("a", { sessionId: id, cwd: home.project })));
		expect(detail("a")).toMatchObject({
			entries: [
				{ kind: "task", text: "the task" },
				{ kind: "thinking", text: "where is it" },
				{ kind: "text", text: "I look." },
				{ kind: "call", name: "read", endedAt: Date.parse(second(2)) },
				{ kind: "text", text: "Found." },
			],
			turns: [{ model: "posed/model", usage: { input: 10, cost: 0.5, turns: 1 } }, {}],
		});
		expect(JSON.stringify(detail("a"))).not.toContain("AbCdEfGh");
	});

	it("is read from the loop's session too", () => {
		const loopLine = (at: number, entry: object) =>
			JSON.stringify({ type: "message", timestamp: second(at), ...entry });
		const file = home.write(
			"loop.jsonl",
			[
				loopLine(0, { kind: "user", text: "the task" }),
				loopLine(1, {
					kind: "assistant",
					text: "",
					toolCalls: [
						{ id: "1", name: "grep", argumentsText: '{"pattern":"x"}' },
						{ id: "2", name: "grep", argumentsText: "not json" },
					],
				}),
				loopLine(2, { kind: "tools", results: [{ id: "1", text: "a.ts:1", isError: false }] }),
			].join("\n"),
		);
		const run = noteRun(home.agentDirectory, toStart("a"), file);
		run.write({ type: "full", at: 1 });
		run.end();
		expect(detail("a")?.entries).toMatchObject([
			{ kind: "task" },
			{ kind: "call", args: { pattern: "x" }, result: "a.ts:1" },
			{ kind: "call", args: { "": "not json" } },
		]);
	});

	it("is read from Claude Code's transcript, where each part of an answer is on a line of its own", () => {
		const line = (type: string, at: number, message: object) =>
			JSON.stringify({ type, timestamp: second(at), message });
		const part = (at: number, block: object) =>
			line("assistant", at, {
				...{ id: "m1", role: "assistant", model: "claude-x", content: [block] },
				usage: { input_tokens: 100, output_tokens: 10 },
			});
		const result = { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: SECRET }] };
		const file = home.write(
			"claude.jsonl",
			[
				JSON.stringify({ type: "session", version: 1 }),
				line("user", 0, { role: "user", content: "the task" }),
				part(1, { type: "thinking", thinking: "where is it" }),
				part(1, { type: "text", text: "Looking." }),
				part(2, { type: "tool_use", id: "t1", name: "Read", input: { file_path: "a" } }),
				line("user", 3, { role: "user", content: [result] }),
				part(3, { type: "tool_use", id: "t2", name: "StructuredOutput", input: { status: "SUCCESS" } }),
			].join("\n"),
		);
		const run = noteRun(home.agentDirectory, toStart("a"), file);
		run.write({ type: "full", at: 1 });
		run.end();
		expect(detail("a")).toMatchObject({
			entries: [
				{ kind: "task", text: "the task" },
				{ kind: "thinking", text: "where is it" },
				{ kind: "text", text: "Looking." },
				{ kind: "call", name: "Read", args: { file_path: "a" }, result: "[REDACTED]" },
				{ kind: "call", name: "subagent_finalize" },
			],
			turns: [{ model: "anthropic/claude-x", usage: { input: 100, output: 10, turns: 1 } }],
		});
	});

	it("is read from Codex's transcript, without what Codex says in the user's name", () => {
		const item = (at: number, payload: object) =>
			JSON.stringify({ type: "response_item", timestamp: second(at), payload });
		const say = (role: string, text: string) => ({ type: "message", role, content: [{ text }] });
		const file = home.write(
			"codex.jsonl",
			[
				JSON.stringify({ type: "session", version: 1 }),
				item(0, say("developer", "You are the subagent.")),
				item(0, say("user", "<environment_context>…")),
				item(0, say("user", "the task")),
				item(1, say("assistant", "Looking.")),
				item(1, { type: "function_call", name: "exec_command", call_id: "c1", arguments: '{"cmd":"ls"}' }),
				item(1, { type: "custom_tool_call", name: "apply_patch", call_id: "c2", input: "*** Begin" }),
				item(2, {
					...{ type: "function_call_output", call_id: "c1" },
					output: `Process exited with code 2\nOutput:\n${SECRET}`,
				}),
				item(3, say("assistant", "Found.")),
			].join("\n"),
		);
		const run = noteRun(home.agentDirectory, toStart("a"), file);
		run.write({ type: "full", at: 1 });
		run.end();
		expect(detail("a")?.entries).toMatchObject([
			{ kind: "task", text: "the task" },
			{ kind: "text", text: "Looking." },
			{ kind: "call", name: "exec_command", args: { cmd: "ls" }, isError: true },
			{ kind: "call", name: "apply_patch", args: { input: "*** Begin" } },
			{ kind: "text", text: "Found." },
		]);
		expect(detail("a")?.turns).toHaveLength(2);
		expect(JSON.stringify(detail("a"))).not.toContain("AbCdEfGh");
	});

	it("follows no link, takes no path for an id, and names related runs", () => {
		const link = join(home.project, "link.jsonl");
		symlinkSync(home.write("session.jsonl", PI_SESSION), link);
		noteRun(home.agentDirectory, toStart("a", { sessionId: "s" }), link).end();
		noteRun(home.agentDirectory, toStart("b", { sessionId: "s", parent: "run:a" })).end();
		expect(detail("a")).toMatchObject({
			entries: [{ kind: "task" }],
			children: [{ runId: "b" }],
			sameSession: [{ runId: "b" }],
		});
		expect(detail("../a")).toBeUndefined();
		expect(detail("missing")).toBeUndefined();
	});
});

describe("watching a run", () => {
	it("tells every event once as it comes, to the end", async () => {
		const run = noteRun(home.agentDirectory, toStart("a"));
		const seen: RunEvent[] = [];
		const { promise: first, resolve } = Promise.withResolvers<void>();
		const watching = watchRun({
			agentDirectory: home.agentDirectory,
			runId: "a",
			signal: AbortSignal.timeout(20_000),
			intervalMs: 5,
			onEvents(events) {
				seen.push(...events);
				resolve();
			},
		});
		await first;
		run.write({ type: "turn", at: 1 });
		run.end();
		expect(await watching).toBe("ended");
		expect(seen.map(({ type }) => type)).toEqual(["start", "turn", "end"]);
	});

	it("ends when the process that runs it was killed", async () => {
		const runner = spawn("sleep", ["60"]);
		const identity = { ...identifyProcess(runner.pid as number), host: hostname() };
		noteRun(home.agentDirectory, toStart("a", { process: identity }));
		expect(readRuns(home.agentDirectory)).toMatchObject([{ state: "running" }]);
		const options = {
			agentDirectory: home.agentDirectory,
			runId: "a",
			intervalMs: 5,
			onEvents: () => undefined,
		};
		const watching = watchRun({ ...options, signal: AbortSignal.timeout(20_000) });
		runner.kill("SIGKILL");
		await once(runner, "exit");
		expect(await watching).toBe("lost");
		expect(readRuns(home.agentDirectory)).toMatchObject([{ state: "lost" }]);
		expect(await watchRun({ ...options, runId: "none", signal: AbortSignal.timeout(1000) })).toBe("missing");
		expect(await watchRun({ ...options, signal: AbortSignal.abort() })).toBe("aborted");
	});
});
